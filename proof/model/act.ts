import { calls } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { badCard, payByCard } from '#server/testing/buyer.ts'
import type { Act, Step } from './steps.ts'
import type { Sale, Story } from './story.ts'

/** Plays one step. A buyer without a checkout can do nothing but open one. */
export async function play(story: Story, { act, buyer, times }: Step): Promise<void> {
  const sale = story.sales[buyer]
  if (!sale || (ofACheckout.has(act) && sale.checkoutId === '')) return
  await playing[act](story, sale, times)
}

const ofACheckout = new Set<Act>([
  'keeps details',
  'pays',
  'orders',
  'is declined',
  'all ask at once',
  'looks',
  'webhook',
  'SumUp lags',
  'SumUp lies',
  'SumUp expires it',
  'orders, the answer waits',
])

const playing: Record<Act, (story: Story, sale: Sale, times: number) => Promise<unknown>> = {
  opens: (story, sale) => story.run(story.open(sale)),
  'keeps details': (story, { browser, checkoutId }) => story.run(browser.keepDetails(checkoutId)),
  pays: ({ shop }, { checkoutId }) => payByCard(shop.sandbox, checkoutId),
  orders: (story, sale) => story.run(story.order(sale)),
  'all ask at once': (story, sale) =>
    story.run(
      Promise.all([
        story.order(sale),
        story.order(sale),
        sale.browser.look(sale.checkoutId),
        story.sweep(),
      ]),
    ),
  looks: (story, { browser, checkoutId }) => story.run(browser.look(checkoutId)),
  webhook: (_story, { browser, checkoutId: id }) =>
    browser.call('POST', calls.paymentWebhook, { event_type: 'CHECKOUT_STATUS_CHANGED', id }),
  sweep: (story) => story.run(story.sweep()),
  async 'is declined'({ shop }, { checkoutId }, times) {
    for (let card = 0; card < times; card += 1) await payByCard(shop.sandbox, checkoutId, badCard)
  },
  'price changes': (story, _sale, times) => story.setPrice(`${times * 10}.50`),
  async 'a day passes'(story) {
    const { shop, atSumup } = story
    // No answer is on its way that long, and nothing lags that long.
    await story.arrive()
    shop.moods.catchUp()
    await shop.db.update(checkouts).set({ validUntil: sql`now() - interval '25 hours'` })
    // SumUp's clock runs too: what is not paid there expires.
    for (const { id } of atSumup()) await shop.sumup.deactivate(id)
  },
  async 'SumUp lags'({ shop, atSumup }, { checkoutId }, times) {
    // It is late with news; it never takes them back.
    const isPaid = atSumup().some(({ id, status }) => id === checkoutId && status === 'PAID')
    if (!isPaid) shop.moods.lagOn(checkoutId, times)
  },
  'SumUp lies': async ({ shop }, { checkoutId }) => shop.moods.lieOn(checkoutId),
  'SumUp stumbles': async ({ shop }) => shop.moods.stumble(),
  'SumUp expires it': ({ shop }, { checkoutId }) => shop.sumup.deactivate(checkoutId),
  async 'opens, the answer is lost'(story, sale) {
    story.shop.moods.loseNextCreate()
    await story.run(story.open(sale))
  },
  async 'opens, SumUp is away'(story, sale) {
    story.shop.moods.refuseCreates(true)
    await story.run(story.open(sale))
    story.shop.moods.refuseCreates(false)
  },
  'orders, the answer waits': (story, sale) => story.beginSlowly(() => story.order(sale)),
  'sweep, the answers wait': (story) => story.beginSlowly(() => story.sweep()),
  'answers arrive': (story) => story.arrive(),
}
