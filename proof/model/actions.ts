import assert from 'node:assert/strict'
import { apiRoutes } from '#contract/paths.ts'
import { lagViews } from '#sandbox/faults.ts'
import { markThanked } from '#server/checkouts/ledger.ts'
import { eq, or, sql } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import {
  badCard,
  challengedCard,
  delivery,
  goodCard,
  payByCard,
  payOther,
  pressElsewhere,
} from '#server/testing/buyer.ts'
import { countries, modelCode } from './prices.ts'
import { isKeptPayment, type Session, type Scenario } from './scenario.ts'

/** Something that can happen. `times` is how often, or which one of several. */
type RunAction = (scenario: Scenario, session: Session, times: number) => unknown

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The usual way to an order. */
const usual = {
  opens: (scenario, session) => scenario.run(scenario.open(session)),
  'saves details': (scenario, session) => scenario.run(scenario.saveDetails(session)),
  pays: (scenario, session) => payWith(scenario, session, goodCard),
  orders: (scenario, session) => scenario.run(scenario.order(session)),
} satisfies Record<string, RunAction>

/** Opens a form whose price is not the product's alone, or may not be. */
const byWish = {
  'opens for another country': (scenario, session, times) =>
    scenario.run(scenario.open(session, { country: pick(countries, times) })),
  'opens with a code': (scenario, session, times) =>
    scenario.run(scenario.open(session, { country: pick(countries, times), code: modelCode })),
  'opens to pick up': (scenario, session) =>
    scenario.run(scenario.open(session, { isPickup: true })),
} satisfies Record<string, RunAction>

const openChallengedSale = {
  'pays, the bank asks': (scenario, session) => payWith(scenario, session, challengedCard),
  'leaves to pay elsewhere': ({ shop }, { checkoutId }) => payOther(shop.sandbox, checkoutId),
  'comes back before it is paid': comeBackPending,
  'the bank approves': (scenario, session) => answerBank(scenario, session, 'approve'),
  'the bank declines': (scenario, session) => answerBank(scenario, session, 'decline'),
  'gives up at the bank': (scenario, session) => answerBank(scenario, session, 'cancel'),
  'SumUp expires it': ({ shop }, { checkoutId }) =>
    shop.sandbox.controls.expire({ checkout: checkoutId }),
  'SumUp refuses to deactivate it': (scenario, { checkoutId }, times) =>
    scenario.addFault({
      on: 'deactivate',
      kind: 'refuse-while-pending',
      checkout: checkoutId,
      count: times,
    }),
} satisfies Record<string, RunAction>

const byBuyers = {
  'pays with a wallet': ({ shop }, { checkoutId }, times) =>
    payOther(shop.sandbox, checkoutId, times % 3 === 0 ? 'declined' : 'approved'),
  async 'is declined'(scenario, session, times) {
    for (let card = 0; card < times; card += 1) await payWith(scenario, session, badCard)
  },
  'all ask at once': (scenario, session) =>
    scenario.run(
      Promise.all([
        scenario.order(session),
        scenario.order(session),
        scenario.readCheckout(session),
        scenario.sweep(),
      ]),
    ),
  'reads the state': (scenario, session) => scenario.run(scenario.readCheckout(session)),
  'starts over': (scenario, session) => scenario.run(scenario.startOver(session)),
  'opens a second tab': async (scenario, session) => {
    await scenario.run(scenario.open(session, session.wish))
    await scenario.run(saveInOtherTab(scenario, session))
  },
  'sees the order': ({ shop }, { checkoutId }) => markThanked(shop.db, checkoutId),
  'orders, answer held': (scenario, session) => scenario.startHeld(() => scenario.order(session)),
} satisfies Record<string, RunAction>

const byTheShop = {
  webhook: (_story, { browser, checkoutId: id }) =>
    browser.call('POST', apiRoutes.paymentWebhook, { event_type: 'CHECKOUT_STATUS_CHANGED', id }),
  sweep: (scenario) => scenario.run(scenario.sweep()),
  'sweep, answers held': (scenario) => scenario.startHeld(() => scenario.sweep()),
  'held answers arrive': (scenario) => scenario.releaseAnswers(),
  comparison: (scenario) => scenario.run(scenario.compare()),
  'price changes': (scenario, _sale, times) => scenario.setPrice(`${times * 10}.50`),
  'delivery changes': (scenario, _sale, times) => scenario.setDelivery(times),
  'the code changes': (scenario, _sale, times) => scenario.setPercent(times * 10),
  'minutes pass': (scenario, _sale, times) => scenario.advanceTime(times * 7 * minuteMs),
  'a day passes': (scenario) => scenario.advanceTime(25 * 60 * minuteMs),
  'a week passes': (scenario) => scenario.advanceTime(7 * dayMs + minuteMs),
  'its row is lost': loseRow,
  'the account changes': (scenario) => scenario.changeAccount(),
} satisfies Record<string, RunAction>

const bySumup = {
  'SumUp lags': ({ shop, unreliable }, { checkoutId }, times) => {
    unreliable.add(checkoutId)
    const shows = lagViews[times % lagViews.length]
    shop.sandbox.controls.lag({ checkout: checkoutId, shows, reads: times })
  },
  'SumUp answers wrongly': (scenario, { checkoutId }, times) => {
    scenario.unreliable.add(checkoutId)
    scenario.misreported.add(checkoutId)
    scenario.addFault({ on: 'get', kind: pick(wrongResponses, times), checkout: checkoutId })
  },
  'SumUp answers nonsense': (scenario, { checkoutId }, times) => {
    scenario.unreliable.add(checkoutId)
    scenario.addFault({
      on: 'get',
      kind: pick(unreadableFaults, times),
      checkout: checkoutId,
      count: times,
    })
  },
  'SumUp does not find it': ({ shop, unreliable }, { checkoutId }, times) => {
    unreliable.add(checkoutId)
    shop.sumupControl.hide(checkoutId, times)
  },
  'SumUp fails once': ({ shop }) => shop.sumupControl.failNextRead(),
  'SumUp refuses the key': (scenario, _sale, times) =>
    scenario.addFault({ on: '*', kind: times % 2 ? 'unauthorized' : 'forbidden', count: times }),
  'SumUp charges twice': async ({ shop }, session) => {
    if (await isPaid({ shop }, session))
      await shop.sandbox.controls.payAgain({ checkout: session.checkoutId })
  },
  'refunds fail': (scenario, _sale, times) =>
    scenario.addFault({ on: 'refund', kind: 'refund-failed', count: times }),
  'refunds stay pending': (scenario, _sale, times) =>
    scenario.addFault({ on: 'refund', kind: 'refund-pending', count: times }),
  'a pending refund is done': (scenario, session) => endRefund(scenario, session, 'done'),
  'a pending refund fails': (scenario, session) => endRefund(scenario, session, 'failed'),
  'SumUp claims that it ended it': (scenario, { checkoutId }, times) =>
    scenario.addFault({
      on: 'deactivate',
      kind: 'claims-ended',
      checkout: checkoutId,
      count: times,
    }),
  'its payments cannot be read': (scenario, { checkoutId }) => {
    const seen = scenario.listAtSumup().find(({ id }) => id === checkoutId)
    for (const { id } of seen?.transactions ?? []) scenario.shop.sumupControl.makeUnreadable(id)
  },
  'SumUp lists little': ({ shop }, _sale, times) => {
    const sparseHistory = { fields: [pick(historyFields, times)], every: times }
    shop.sandbox.controls.setSwitches({ sparseHistory, bareLinks: true })
  },
  'refunds mark payments': ({ shop }) =>
    shop.sandbox.controls.setSwitches({ refundsMarkTransaction: true }),
  'others are paid': (scenario, _sale, times) =>
    scenario.shop.sandbox.controls.addForeignPayments({
      count: times * 40,
      merchantCode: scenario.merchantCode(),
      paymentType: times % 2 ? 'ECOM' : 'POS',
    }),
  'opens, the answer is lost': async (scenario, session) => {
    scenario.shop.sumupControl.loseNextCreate()
    await scenario.run(scenario.open(session))
  },
  'opens, SumUp is down': async (scenario, session) => {
    scenario.shop.sumupControl.refuseCreates(true)
    await scenario.run(scenario.open(session))
    scenario.shop.sumupControl.refuseCreates(false)
  },
} satisfies Record<string, RunAction>

const byTheOwner = {
  'owner creates the order': async (scenario, _sale, times) => {
    const entry = pick(await scenario.listReviews(false), times)
    if (!entry || !hasMoney(scenario, entry.id, entry.transactionCode)) return
    const { acceptsNews: _unsaid, ...details } = delivery
    await scenario.decide(apiRoutes.reviewOrder, entry, { productId: scenario.shop.mug, details })
  },
  'owner refunds': async (scenario, _sale, times) => {
    const entry = pick(await scenario.listReviews(false), times)
    if (entry) await scenario.decide(apiRoutes.reviewRefund, entry)
  },
  'owner dismisses': async (scenario, _sale, times) => {
    const entry = pick(await scenario.listReviews(false), times)
    if (entry) await scenario.decide(apiRoutes.reviewDismiss, entry, { note: 'a test of ours' })
  },
  'owner restores': async (scenario, _sale, times) => {
    const entry = pick(await scenario.listReviews(true), times)
    if (entry) await scenario.decide(apiRoutes.reviewRestore, entry)
  },
  'owner refunds at SumUp': (scenario, session) => reversePayment(scenario, session, 'refund'),
  'the bank charges back': (scenario, session) => reversePayment(scenario, session, 'chargeBack'),
  'owner refunds a part at SumUp': (scenario, session) =>
    reversePayment(scenario, session, 'refund', 1),
  'the bank charges a part back': (scenario, session) =>
    reversePayment(scenario, session, 'chargeBack', 1),
} satisfies Record<string, RunAction>

export const actions = {
  ...usual,
  ...byWish,
  ...openChallengedSale,
  ...byBuyers,
  ...byTheShop,
  ...bySumup,
  ...byTheOwner,
} satisfies Record<string, RunAction>
export type Action = keyof typeof actions

export const allActions = Object.keys(actions) as Action[]
export const usualActions = Object.keys(usual) as Action[]
export const wishActions = Object.keys(byWish) as Action[]
export const bankActions = Object.keys(openChallengedSale) as Action[]

/** Actions that need no form. */
export const withoutForm = new Set<Action>([
  'opens',
  'opens, the answer is lost',
  'opens, SumUp is down',
  ...wishActions,
  ...(Object.keys(byTheShop) as Action[]),
  ...(Object.keys(byTheOwner) as Action[]),
])
export const needsForm = new Set<Action>([
  'webhook',
  'its row is lost',
  'owner refunds at SumUp',
  'the bank charges back',
  'owner refunds a part at SumUp',
  'the bank charges a part back',
])

const wrongResponses = [
  'wrong-amount',
  'wrong-currency',
  'wrong-reference',
  'wrong-merchant',
] as const
const unreadableFaults = [
  'null-transaction',
  'transactions-object',
  'transactions-text',
  'odd-transaction',
  'odd-status',
  'unreadable',
  'without-transaction',
  'still-pending',
] as const
const historyFields = [
  'currency',
  'amount',
  'product_summary',
  'timestamp',
  'transaction_code',
] as const

function pick<Item>(items: readonly Item[], number: number): Item {
  return items[number % items.length] as Item
}

/** On the other page the buyer did all that is to do, and the payment takes a while: SumUp does not end it meanwhile. */
async function comeBackPending({ shop }: Scenario, { checkoutId }: Session): Promise<void> {
  const seen = shop.sandbox.ledger().checkouts.find(({ id }) => id === checkoutId)
  const asked = seen?.transactions.findLast(({ status }) => status === 'PENDING')
  if (!asked?.challenge) return
  await pressElsewhere(shop.sandbox, checkoutId, asked.challenge, 'approve-later')
}

async function payWith({ shop }: Scenario, { checkoutId }: Session, card: string): Promise<void> {
  await payByCard(shop.sandbox, checkoutId, card)
}

async function answerBank(
  { shop }: Scenario,
  { checkoutId }: Session,
  outcome: 'approve' | 'decline' | 'cancel',
): Promise<void> {
  const seen = shop.sandbox.ledger().checkouts.find(({ id }) => id === checkoutId)
  const hasAsked = seen?.transactions.some(({ challenge }) => challenge !== undefined)
  if (hasAsked) await shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome })
}

/** Another tab must not change the details while a card is at the bank. */
async function saveInOtherTab(scenario: Scenario, session: Session): Promise<void> {
  const { shop, unreliable, lostCheckouts, hasPendingCalls } = scenario
  const seen = scenario.listAtSumup().find(({ id }) => id === session.checkoutId)
  const isFrozen = seen?.transactions.some(({ status }) => status === 'PENDING') ?? false
  const row = await readDetails({ shop }, session)
  const isSaved = await scenario.saveDetails(session, 'another tab')
  if (
    !isFrozen ||
    !row ||
    hasPendingCalls() ||
    unreliable.has(session.checkoutId) ||
    lostCheckouts.has(session.checkoutId)
  )
    return
  assert.ok(!isSaved, 'another tab changed the details of a card at the bank')
}

async function readDetails(
  { shop }: Pick<Scenario, 'shop'>,
  { checkoutId }: Session,
): Promise<boolean> {
  const { rows } = await shop.db.execute(
    sql`select from checkouts where sumup_checkout_id = ${checkoutId} and details is not null`,
  )
  return rows.length > 0
}

async function isPaid({ shop }: Pick<Scenario, 'shop'>, { checkoutId }: Session): Promise<boolean> {
  return shop.sandbox.ledger().checkouts.some((one) => {
    return one.id === checkoutId && one.status === 'PAID'
  })
}

/** As if a backup from before the checkout was restored. */
async function loseRow(
  { shop, lostCheckouts, releaseAnswers }: Scenario,
  { checkoutId }: Session,
): Promise<void> {
  await releaseAnswers()
  lostCheckouts.add(checkoutId)
  const theirs = sql`select id from orders where sumup_checkout_id = ${checkoutId}`
  await shop.db.execute(sql`delete from order_timeline where order_id in (${theirs})`)
  await shop.db.execute(sql`delete from mails where order_id in (${theirs})`)
  await shop.db.execute(sql`delete from orders where sumup_checkout_id = ${checkoutId}`)
  const sale = sql`select id from checkouts where sumup_checkout_id = ${checkoutId}`
  await shop.db.execute(sql`delete from payments where sale_id in (${sale})`)
  await shop.db.execute(sql`delete from review_entries where sale_id in (${sale})`)
  await shop.db.execute(sql`delete from checkouts where sumup_checkout_id = ${checkoutId}`)
}

/** The owner checks in SumUp's app before they create an order for a payment. */
function hasMoney(scenario: Scenario, id: string, code: string | null): boolean {
  return scenario
    .listAtSumup()
    .some(({ reference, transactions }) =>
      transactions.some((one) => isKeptPayment(one) && (one.code === code || reference === id)),
    )
}

/** Some time after the payment: nobody refunds what they have not seen. */
async function reversePayment(
  scenario: Scenario,
  { checkoutId }: Session,
  how: 'refund' | 'chargeBack',
  amount?: number,
): Promise<void> {
  const { shop, refundedBeforeOrder } = scenario
  await scenario.advanceTime(2 * minuteMs)
  const paid = scenario
    .listAtSumup()
    .find(({ id }) => id === checkoutId)
    ?.transactions.find((one) => isKeptPayment(one) && !hasPendingRefund(one))
  // Where a refund marks its payment, SumUp does not tell parts from the whole.
  const isMarked = shop.sandbox.controls.setSwitches({}).refundsMarkTransaction
  if (!paid || (amount !== undefined && isMarked)) return
  // An order that exists may move to this payment later, and says then that it went back.
  const ofPayment = eq(orders.sumupTransactionId, paid.id)
  const ofCheckout = eq(orders.sumupCheckoutId, checkoutId)
  const known = await shop.db.select().from(orders).where(or(ofPayment, ofCheckout))
  shop.sandbox.controls[how]({ payment: paid.id, ...(amount !== undefined && { amount }) })
  if (known.length === 0 && amount === undefined) refundedBeforeOrder.add(paid.id)
}

type WithRefunds = { refundAttempts?: { status: string }[] }

function hasPendingRefund({ refundAttempts = [] }: WithRefunds): boolean {
  return refundAttempts.some(({ status }) => status === 'PENDING')
}

function endRefund(scenario: Scenario, { checkoutId }: Session, outcome: 'done' | 'failed'): void {
  const paid = scenario
    .listAtSumup()
    .find(({ id }) => id === checkoutId)
    ?.transactions.find(hasPendingRefund)
  if (paid) scenario.shop.sandbox.controls.endRefund({ payment: paid.id, outcome })
}
