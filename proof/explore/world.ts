import type { Case, Decision, Loaded, Sale } from '#server/payments/case.ts'
import type { ActNote, Written } from '#server/payments/flows.ts'
import { isOpenRefund } from '#server/payments/payment.ts'
import { product, type Screen } from './shop.ts'
import { currency, merchantCode, type Sumup } from './sumup.ts'
import type { Run } from './tasks.ts'

/** Everything there is: our rows, SumUp, the time, browsers, work in progress, and what may still happen. */
export type World = {
  now: number
  cases: Record<string, Case>
  sumup: Sumup
  /** SumUp before its last change, which a read may still show for a while. */
  before: Sumup | undefined
  changedAt: number
  tabs: Record<string, Tab>
  screens: Record<string, Screen>
  runs: Run[]
  /** How often each kind of move may still happen. */
  left: Record<string, number>
}

/** A page of the buyer. `ready`: details were accepted, and the card form is unlocked. */
export type Tab = { saleId: string | null; phase: 'away' | 'form' | 'ready' | 'sent' }

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
const start = Date.UTC(2030, 0, 1)
const validMs = 30 * minute

/** How long a read may show what was true before. The shop relies on it (cardLagMs in schedule.ts). */
export const lagMs = 15 * second

export function createWorld(left: Record<string, number>): World {
  return {
    now: start,
    cases: {},
    sumup: { checkouts: [], transactions: [], broken: [] },
    before: undefined,
    changedAt: start,
    tabs: {},
    screens: {},
    runs: [],
    left,
  }
}

/** A form of the buyer's browser: stored here and at SumUp. */
export function addSale(world: World): { world: World; id: string } {
  const id = `s${world.sumup.checkouts.length + 1}`
  const sumupId = `c${world.sumup.checkouts.length + 1}`
  const validUntil = world.now + validMs
  const sale: Sale = {
    id,
    productId: product.id,
    product,
    amount: product.price,
    currency,
    state: 'open',
    version: 1,
    buyerTokenHash: 'buyer',
    merchantCode,
    isTest: false,
    sumupCheckoutId: sumupId,
    hasTooManyCards: false,
    addressKey: null,
    details: null,
    detailsAt: null,
    formId: '',
    submits: 0,
    startedAt: null,
    visitor: null,
    toldAt: null,
    thankedAt: null,
    unclearSince: null,
    expiredSince: null,
    unreadSince: null,
    validUntil: new Date(validUntil),
    nextCheckAt: null,
    priority: 0,
    checks: 0,
    lastError: null,
    createdAt: new Date(world.now),
    updatedAt: new Date(world.now),
  }
  const kase: Case = { sale, payments: [], refunds: [], entries: [], order: undefined }
  const checkout = { id: sumupId, reference: id, isEnded: false, validUntil }
  const checkouts = [...world.sumup.checkouts, checkout]
  const sumup = { ...world.sumup, checkouts }
  return { world: { ...world, cases: { ...world.cases, [id]: kase }, sumup }, id }
}

/** SumUp after a change: reads may lag behind it for a while. */
export function changeSumup(world: World, sumup: Sumup): World {
  if (sumup === world.sumup) return world
  const isLaggy = (world.left.odd ?? 0) > 0
  return { ...world, sumup, before: isLaggy ? world.sumup : undefined, changedAt: world.now }
}

export function passTime(world: World, ms: number): World {
  const now = world.now + ms
  const transactions = world.sumup.transactions.map((one) => ({
    ...one,
    // SumUp does not carry out a request of an hour ago.
    asked: one.asked.map((asked) =>
      asked.state === 'late' && now - asked.at >= hour
        ? { ...asked, state: 'failed' as const }
        : asked,
    ),
  }))
  return {
    ...world,
    now,
    sumup: { ...world.sumup, transactions },
    before: ms >= lagMs ? undefined : world.before,
  }
}

export type WriteRequest = {
  loaded: Loaded
  decision: Decision
  note?: ActNote
  /** Details are saved only if no other sale of this browser is paid and unseen, or in review. */
  onlyIfFree?: boolean
  /** The order is sent to the buyer's browser. */
  isForBuyer?: boolean
}

/** What server/checkouts/write-case.ts does, on these rows. */
export function write(world: World, request: WriteRequest): { world: World; answer: Written } {
  const { loaded, decision } = request
  const before = loaded.kase
  const id = before.sale?.id ?? before.payments[0]?.id ?? decision.after.payments[0]?.id ?? ''
  if (isEmpty(before, decision) && request.note === undefined)
    return { world, answer: { type: 'written', kase: before } }
  const known = world.cases[id]
  const isNewLone = !before.sale && before.payments.length === 0
  if (isNewLone ? known : !known || guardOf(known) !== guardOf(before))
    return { world, answer: { type: 'stale' } }
  if (request.onlyIfFree && hasOtherPayment(world, id))
    return { world, answer: { type: 'other-card' } }
  const after = tellBuyer(decision.after, request, world.now)
  const conflict = findConflict(world, id, before, after)
  if (conflict) return { world, answer: conflict }
  const kase = bumpVersions({ ...after, order: describeOrder(id, decision) })
  return {
    world: { ...world, cases: { ...world.cases, [id]: kase } },
    answer: { type: 'written', kase },
  }
}

function tellBuyer(after: Case, { decision, isForBuyer }: WriteRequest, now: number): Case {
  if (!decision.order || !isForBuyer || !after.sale) return after
  return { ...after, sale: { ...after.sale, toldAt: new Date(now) } }
}

/** The payment that an order was created for, which it may be moved away from. */
export type OrderOf = NonNullable<Case['order']> & { madeFor?: string | null }

function describeOrder(id: string, { after, order, orderMovesTo }: Decision): OrderOf | undefined {
  const transactionId = order?.payment?.transactionId ?? null
  if (order) return { id: `order ${id}`, transactionId, madeFor: transactionId }
  return after.order && orderMovesTo
    ? { ...after.order, transactionId: orderMovesTo.transactionId }
    : after.order
}

export function guardOf({ sale, payments }: Case): number {
  return sale?.version ?? payments[0]?.version ?? 0
}

function bumpVersions(kase: Case): Case {
  return {
    ...kase,
    sale: kase.sale && { ...kase.sale, version: kase.sale.version + 1 },
    payments: kase.payments.map((one) => ({ ...one, version: one.version + 1 })),
  }
}

function isEmpty(before: Case, { after, order, orderMovesTo, returned, mails }: Decision): boolean {
  if (order || orderMovesTo || mails?.length || (returned?.length && before.order)) return false
  return (
    isSame(before.sale, after.sale) &&
    areSame(before.payments, after.payments) &&
    areSame(before.refunds, after.refunds) &&
    areSame(before.entries, after.entries)
  )
}

function areSame(rows: object[], others: object[]): boolean {
  return rows.length === others.length && rows.every((row, index) => isSame(row, others[index]))
}

/** Of rows, whose fields are plain values, times, and objects that are never copied. */
function isSame(row: object | undefined, other: object | undefined): boolean {
  if (row === other) return true
  if (!row || !other) return false
  return Object.entries(row).every(([name, value]) => {
    const changed: unknown = (other as Record<string, unknown>)[name]
    return value instanceof Date && changed instanceof Date
      ? value.getTime() === changed.getTime()
      : value === changed
  })
}

/** The unique indexes. */
function findConflict(world: World, id: string, before: Case, after: Case): Written | undefined {
  const others = Object.entries(world.cases).filter(([other]) => other !== id)
  const isSubmitted = ({ sale }: Case) => sale?.state === 'submitted'
  if (isSubmitted(after) && others.some(([, one]) => isSubmitted(one)))
    return { type: 'other-card' }
  const open = after.refunds.filter(isOpenRefund).map(({ paymentId }) => paymentId)
  if (new Set(open).size < open.length) return { type: 'stale' }
  const added = after.payments.filter(
    ({ id: own }) => !before.payments.some((one) => one.id === own),
  )
  const taken = others.flatMap(([, { payments }]) => payments.map((one) => one.transactionId))
  const reused = added.map((one) => one.transactionId).filter((one) => taken.includes(one))
  return reused.length > 0 ? { type: 'reused', transactionIds: reused } : undefined
}

function hasOtherPayment({ cases }: World, id: string): boolean {
  return Object.entries(cases).some(
    ([other, { sale }]) =>
      other !== id &&
      sale !== undefined &&
      (sale.state === 'review' || (sale.state === 'paid' && sale.thankedAt === null)),
  )
}

/** Closes unused forms that have expired, as ledger.ts does in one statement. */
export function closeUnused(world: World): World {
  const cases = Object.entries(world.cases).map(([id, kase]): [string, Case] => {
    const { sale } = kase
    const isUnused =
      sale?.state === 'open' && sale.validUntil.getTime() < world.now && !sale.nextCheckAt
    return sale && isUnused
      ? [id, { ...kase, sale: { ...sale, state: 'closed', version: sale.version + 1 } }]
      : [id, kase]
  })
  return { ...world, cases: Object.fromEntries(cases) }
}
