import assert from 'node:assert/strict'
import { apiRoutes } from '#contract/paths.ts'
import { lagViews } from '#sandbox/lag.ts'
import { markThanked } from '#server/checkouts/ledger.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { badCard, challengedCard, delivery, goodCard, payByCard } from '#server/testing/buyer.ts'
import { isKept, type Sale, type Story } from './story.ts'

/** Everything that can happen to a sale. `times` is how often, or which one of several. */
type Play = (story: Story, sale: Sale, times: number) => unknown

const minute = 60_000
const day = 24 * 60 * minute

/** What brings most buyers to an order. */
const usual = {
  opens: (story, sale) => story.run(story.open(sale)),
  'keeps details': (story, sale) => story.run(story.keepDetails(sale)),
  pays: (story, sale) => payWith(story, sale, goodCard),
  orders: (story, sale) => story.run(story.order(sale)),
} satisfies Record<string, Play>

const openChallengedSale = {
  'pays, the bank asks': (story, sale) => payWith(story, sale, challengedCard),
  'the bank approves': (story, sale) => answerBank(story, sale, 'approve'),
  'the bank declines': (story, sale) => answerBank(story, sale, 'decline'),
  'gives up at the bank': (story, sale) => answerBank(story, sale, 'cancel'),
  'SumUp expires it': ({ shop }, { checkoutId }) =>
    shop.sandbox.controls.expire({ checkout: checkoutId }),
  'SumUp does not let go of it': (story, { checkoutId }, times) =>
    story.fault({
      on: 'deactivate',
      kind: 'refuse-while-pending',
      checkout: checkoutId,
      count: times,
    }),
} satisfies Record<string, Play>

const byBuyers = {
  async 'is declined'(story, sale, times) {
    for (let card = 0; card < times; card += 1) await payWith(story, sale, badCard)
  },
  'all ask at once': (story, sale) =>
    story.run(Promise.all([story.order(sale), story.order(sale), story.look(sale), story.sweep()])),
  looks: (story, sale) => story.run(story.look(sale)),
  'starts over': (story, sale) => story.run(story.startOver(sale)),
  'opens a second tab': async (story, sale) => {
    await story.run(story.open(sale))
    await story.run(keepInOtherTab(story, sale))
  },
  'sees the order': ({ shop }, { checkoutId }) => markThanked(shop.db, checkoutId),
  'orders, the answer waits': (story, sale) => story.beginSlowly(() => story.order(sale)),
} satisfies Record<string, Play>

const byTheShop = {
  webhook: (_story, { browser, checkoutId: id }) =>
    browser.call('POST', apiRoutes.paymentWebhook, { event_type: 'CHECKOUT_STATUS_CHANGED', id }),
  sweep: (story) => story.run(story.sweep()),
  'sweep, the answers wait': (story) => story.beginSlowly(() => story.sweep()),
  'answers arrive': (story) => story.arrive(),
  comparison: (story) => story.run(story.compare()),
  'price changes': (story, _sale, times) => story.setPrice(`${times * 10}.50`),
  'minutes pass': (story, _sale, times) => story.pass(times * 7 * minute),
  'a day passes': (story) => story.pass(25 * 60 * minute),
  'a week passes': (story) => story.pass(7 * day + minute),
  'its row is lost': loseRow,
  'the account changes': (story) => story.changeAccount(),
} satisfies Record<string, Play>

const bySumup = {
  'SumUp lags': ({ shop, odd }, { checkoutId }, times) => {
    odd.add(checkoutId)
    const shows = lagViews[times % lagViews.length]
    shop.sandbox.controls.lag({ checkout: checkoutId, shows, reads: times })
  },
  'SumUp lies': (story, { checkoutId }, times) => {
    story.odd.add(checkoutId)
    story.liedAbout.add(checkoutId)
    story.fault({ on: 'get', kind: pick(lies, times), checkout: checkoutId })
  },
  'SumUp cannot be read': (story, { checkoutId }, times) => {
    story.odd.add(checkoutId)
    story.fault({ on: 'get', kind: pick(riddles, times), checkout: checkoutId, count: times })
  },
  'SumUp does not find it': ({ shop, odd }, { checkoutId }, times) => {
    odd.add(checkoutId)
    shop.moods.forget(checkoutId, times)
  },
  'SumUp stumbles': ({ shop }) => shop.moods.stumble(),
  'SumUp refuses the key': (story, _sale, times) =>
    story.fault({ on: '*', kind: times % 2 ? 'unauthorized' : 'forbidden', count: times }),
  'SumUp charges twice': async ({ shop }, sale) => {
    if (await isPaid({ shop }, sale))
      await shop.sandbox.controls.payAgain({ checkout: sale.checkoutId })
  },
  'SumUp lists little': ({ shop }, _sale, times) => {
    const sparseHistory = { fields: [pick(listed, times)], every: times }
    shop.sandbox.controls.setSwitches({ sparseHistory, bareLinks: true })
  },
  'refunds mark payments': ({ shop }) =>
    shop.sandbox.controls.setSwitches({ refundsMarkTransaction: true }),
  'others are paid': (story, _sale, times) =>
    story.shop.sandbox.controls.addForeignPayments({
      count: times * 40,
      merchantCode: story.merchantCode(),
      paymentType: times % 2 ? 'ECOM' : 'POS',
    }),
  'opens, the answer is lost': async (story, sale) => {
    story.shop.moods.loseNextCreate()
    await story.run(story.open(sale))
  },
  'opens, SumUp is away': async (story, sale) => {
    story.shop.moods.refuseCreates(true)
    await story.run(story.open(sale))
    story.shop.moods.refuseCreates(false)
  },
} satisfies Record<string, Play>

const byTheOwner = {
  'owner makes the order': async (story, _sale, times) => {
    const entry = pick(await story.review(false), times)
    if (!entry || !hasMoney(story, entry.id, entry.transactionCode)) return
    const { acceptsNews: _unsaid, ...details } = delivery
    await story.decide(apiRoutes.reviewOrder, entry.id, { productId: story.shop.mug, details })
  },
  'owner refunds': async (story, _sale, times) => {
    const entry = pick(await story.review(false), times)
    if (entry) await story.decide(apiRoutes.reviewRefund, entry.id, {})
  },
  'owner dismisses': async (story, _sale, times) => {
    const entry = pick(await story.review(false), times)
    if (entry) await story.decide(apiRoutes.reviewDismiss, entry.id, { note: 'a test of ours' })
  },
  'owner restores': async (story, _sale, times) => {
    const entry = pick(await story.review(true), times)
    if (entry) await story.decide(apiRoutes.reviewRestore, entry.id, {})
  },
  'owner refunds at SumUp': (story, sale) => giveBack(story, sale, 'refund'),
  'the bank takes it back': (story, sale) => giveBack(story, sale, 'chargeBack'),
} satisfies Record<string, Play>

export const acts = {
  ...usual,
  ...openChallengedSale,
  ...byBuyers,
  ...byTheShop,
  ...bySumup,
  ...byTheOwner,
} satisfies Record<string, Play>
export type Act = keyof typeof acts

export const allActs = Object.keys(acts) as Act[]
export const usualActs = Object.keys(usual) as Act[]
export const bankActs = Object.keys(openChallengedSale) as Act[]

/** What a buyer can do who was never given a form. */
const withoutForm = new Set<Act>([
  'opens',
  'opens, the answer is lost',
  'opens, SumUp is away',
  ...(Object.keys(byTheShop) as Act[]),
  ...(Object.keys(byTheOwner) as Act[]),
])
const ofAForm = new Set<Act>([
  'webhook',
  'its row is lost',
  'owner refunds at SumUp',
  'the bank takes it back',
])

/** One thing happens: to which buyer, and how many times where that has a meaning. */
export type Step = { act: Act; buyer: number; times: number }

export async function play(story: Story, { act, buyer, times }: Step): Promise<void> {
  const sale = story.sales[buyer]
  const canDo = sale?.checkoutId !== '' || (withoutForm.has(act) && !ofAForm.has(act))
  if (sale && canDo) await acts[act](story, sale, times)
}

const lies = ['wrong-amount', 'wrong-currency', 'wrong-reference', 'wrong-merchant'] as const
const riddles = [
  'null-transaction',
  'transactions-object',
  'transactions-text',
  'odd-transaction',
  'odd-status',
  'unreadable',
  'without-transaction',
  'still-pending',
] as const
const listed = ['currency', 'amount', 'product_summary', 'timestamp', 'transaction_code'] as const

function pick<Item>(items: readonly Item[], number: number): Item {
  return items[number % items.length] as Item
}

async function payWith({ shop }: Story, { checkoutId }: Sale, card: string): Promise<void> {
  await payByCard(shop.sandbox, checkoutId, card)
}

async function answerBank(
  { shop }: Story,
  { checkoutId }: Sale,
  outcome: 'approve' | 'decline' | 'cancel',
): Promise<void> {
  const seen = shop.sandbox.ledger().checkouts.find(({ id }) => id === checkoutId)
  const hasAsked = seen?.transactions.some(({ challenge }) => challenge !== undefined)
  if (hasAsked) await shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome })
}

/** While a card is at the bank its delivery is settled, whatever another tab says. */
async function keepInOtherTab(story: Story, sale: Sale): Promise<void> {
  const { shop, odd, lost, isWaiting } = story
  const seen = story.atSumup().find(({ id }) => id === sale.checkoutId)
  const isFrozen = seen?.transactions.some(({ status }) => status === 'PENDING') ?? false
  const row = await readDetails({ shop }, sale)
  const isKeptThere = await story.keepDetails(sale, 'another tab')
  if (!isFrozen || !row || isWaiting() || odd.has(sale.checkoutId) || lost.has(sale.checkoutId))
    return
  assert.ok(!isKeptThere, 'another tab changed the details of a card at the bank')
}

async function readDetails({ shop }: Pick<Story, 'shop'>, { checkoutId }: Sale): Promise<boolean> {
  const { rows } = await shop.db.execute(
    sql`select from checkouts where sumup_checkout_id = ${checkoutId} and details is not null`,
  )
  return rows.length > 0
}

async function isPaid({ shop }: Pick<Story, 'shop'>, { checkoutId }: Sale): Promise<boolean> {
  return shop.sandbox.ledger().checkouts.some((one) => {
    return one.id === checkoutId && one.status === 'PAID'
  })
}

/** A disk was restored to the moment before the form was opened. */
async function loseRow({ shop, lost, arrive }: Story, { checkoutId }: Sale): Promise<void> {
  // No call survives that.
  await arrive()
  lost.add(checkoutId)
  const theirs = sql`select id from orders where sumup_checkout_id = ${checkoutId}`
  await shop.db.execute(sql`delete from order_timeline where order_id in (${theirs})`)
  await shop.db.execute(sql`delete from mails where order_id in (${theirs})`)
  await shop.db.execute(sql`delete from orders where sumup_checkout_id = ${checkoutId}`)
  await shop.db.execute(sql`delete from checkouts where sumup_checkout_id = ${checkoutId}`)
}

/** The owner looks into SumUp's app before an order is made of a payment. */
function hasMoney(story: Story, id: string, code: string | null): boolean {
  return story
    .atSumup()
    .some(({ reference, transactions }) =>
      transactions.some((one) => isKept(one) && (one.code === code || reference === id)),
    )
}

/** Nobody gives back what they have not seen: some time has passed since the payment. */
async function giveBack(
  story: Story,
  { checkoutId }: Sale,
  how: 'refund' | 'chargeBack',
): Promise<void> {
  const { shop, refundedFirst } = story
  await story.pass(2 * minute)
  const paid = story
    .atSumup()
    .find(({ id }) => id === checkoutId)
    ?.transactions.find((one) => isKept(one))
  if (!paid) return
  const known = await shop.db.select().from(orders).where(eq(orders.sumupTransactionId, paid.id))
  if (known.length === 0) refundedFirst.add(paid.id)
  shop.sandbox.controls[how]({ payment: paid.id })
}
