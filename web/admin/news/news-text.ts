import { newsKinds, type NewsEvent, type NewsKind } from '#contract/news.ts'

/** What is said of one, and of several. */
const texts: Record<NewsKind, { one: string; many: string }> = {
  order: { one: 'new order', many: 'new orders' },
  'order-changed': { one: 'order changed', many: 'orders changed' },
  'money-returned': { one: 'payment returned at SumUp', many: 'payments returned at SumUp' },
  withdrawal: { one: 'withdrawal', many: 'withdrawals' },
  'withdrawal-changed': { one: 'withdrawal handled', many: 'withdrawals handled' },
  review: { one: 'payment needs you', many: 'payments need you' },
  'review-changed': { one: 'payment resolved', many: 'payments resolved' },
  'product-changed': { one: 'product changed', many: 'products changed' },
}

/** '2 new orders, 1 order changed'. An order that changed twice is one. */
export function describeEvents(events: readonly Pick<NewsEvent, 'kind' | 'id'>[]): string {
  return newsKinds
    .flatMap((kind) => {
      const count = new Set(events.filter((one) => one.kind === kind).map(({ id }) => id)).size
      return count === 0 ? [] : [`${count} ${texts[kind][count === 1 ? 'one' : 'many']}`]
    })
    .join(', ')
}
