import { showCentsAs } from './amounts.ts'
import { type Bar, nameDays } from './bars.ts'
import { count } from './words.ts'

/** What a bar tells, for eyes in lines and for ears in one sentence. */
export function describeBar(bar: Bar, currency: string) {
  const { before } = bar
  const words = {
    days: nameDays(bar),
    revenue: showCentsAs(bar.cents, currency),
    counts: `${count(bar.orders, 'order')}, ${count(bar.views, 'view')}`,
    before:
      before &&
      `${showCentsAs(before.cents, currency)} ${before.from === before.to ? 'on' : 'in'} ${nameDays(before)}`,
  }
  const sentence = `${words.days}: ${words.revenue}, ${words.counts}`
  return { ...words, sentence: words.before ? `${sentence}; before, ${words.before}` : sentence }
}
