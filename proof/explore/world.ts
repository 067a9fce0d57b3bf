import type { Country } from '#contract/countries.ts'
import { toCents } from '#contract/money.ts'
import { firstCheckSeconds, validMinutes, type Offer } from '#server/checkouts/offer.ts'
import {
  applyDecision,
  changesNothing,
  isOpenRefund,
  isUnfinished,
  saleQuestion,
  tellBuyer,
  type SaleRecord,
  type Decision,
  type Loaded,
  type Sale,
  type RecordWithSale,
} from '#server/payments/record.ts'
import type { Written } from '#server/payments/flow.ts'
import { addMs, priorities } from '#server/payments/schedule.ts'
import type { WorldStep } from './shop-flows.ts'
import { addressKey, buyerTokenHash, priceOf, product, type Screen } from './shop.ts'
import { merchantCodes, type Sumup } from './sumup.ts'
import type { Run } from './tasks.ts'

/** Everything there is: our rows, SumUp, the time, browsers, work in progress, and what may still happen. */
export type World = {
  now: number
  /** The account that the shop uses. */
  merchantCode: string
  /** Sales that were last written by work with another account, which had begun before the shop changed it. */
  outdated: string[]
  records: Record<string, SaleRecord>
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
export type Tab = {
  saleId: string | null
  phase: 'away' | 'form' | 'ready' | 'sent'
  /** Whose price it shows, where that depends on the country. */
  country?: Country
}

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
const start = Date.UTC(2030, 0, 1)

/** How long a read may show what was true before. The shop relies on it (`maxUnseenCardMs`). */
export const lagMs = 15 * second

export function createWorld(left: Record<string, number>): World {
  return {
    now: start,
    merchantCode: merchantCodes[0],
    outdated: [],
    records: {},
    sumup: { checkouts: [], transactions: [], broken: {}, echo: undefined },
    before: undefined,
    changedAt: start,
    tabs: {},
    screens: {},
    runs: [],
    left,
  }
}

const offer: Omit<Offer, 'merchantCode' | 'charge' | 'terms'> = {
  product,
  productVersion: {} as Offer['productVersion'],
  shownVersion: '',
  buyerTokenHash,
  addressKey,
  isTest: false,
  visitor: {} as Offer['visitor'],
}

/** A form of the buyer's browser, stored here before SumUp is asked for it. */
export function addSale(
  world: World,
  merchantCode: string = world.merchantCode,
  country?: Country,
): { world: World; loaded: Loaded<RecordWithSale> } {
  const now = new Date(world.now)
  const sales = Object.values(world.records).filter(({ sale }) => sale)
  const id = `s${sales.length + 1}`
  const { terms, ...charge } = priceOf(country)
  const sale = createSale(id, { ...offer, charge, terms, merchantCode }, now)
  const record = { sale, payments: [], refunds: [], questions: [], order: undefined }
  return {
    world: { ...world, records: { ...world.records, [id]: record } },
    loaded: { record, now },
  }
}

/** As server/checkouts/ledger.ts inserts it. */
function createSale(id: string, offer: Offer, now: Date): Sale {
  const {
    charge,
    buyerTokenHash,
    addressKey: address,
    merchantCode: account,
    isTest,
    visitor,
  } = offer
  return {
    id,
    productId: offer.product.id,
    product: offer.product,
    ...charge,
    terms: offer.terms,
    state: 'created',
    version: 1,
    buyerTokenHash,
    merchantCode: account,
    isTest,
    sumupCheckoutId: null,
    hasReturnUrl: false,
    hasTooManyCards: false,
    addressKey: address,
    details: null,
    detailsAt: null,
    formId: '',
    pressId: '',
    submits: 0,
    shownVersion: offer.shownVersion,
    chosen: null,
    discountCodeId: null,
    heldAt: null,
    holds: 0,
    startedAt: null,
    visitor,
    toldAt: null,
    thankedAt: null,
    unclearSince: null,
    expiredSince: null,
    unreadSince: null,
    validUntil: addMs(now, validMinutes * minute),
    nextCheckAt: addMs(now, firstCheckSeconds * second),
    priority: priorities.lazy,
    checks: 0,
    lastError: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** SumUp creates the checkout of a form. */
export function addCheckout(sumup: Sumup, sale: Sale): Sumup {
  const { id, merchantCode, validUntil } = sale
  const checkout = {
    id: `c${sumup.checkouts.length + 1}`,
    reference: id,
    merchantCode,
    cents: toCents(sale.amount),
    isEnded: false,
    validUntil: validUntil.getTime(),
  }
  return { ...sumup, checkouts: [...sumup.checkouts, checkout] }
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

export type WriteRequest = Extract<WorldStep, { type: 'write' }>

/** Does without a database what server/checkouts/write-record.ts does with one: proof/explore-writes.test.ts compares both. */
export function write(world: World, request: WriteRequest): { world: World; answer: Written } {
  const { loaded, decision } = request
  const before = loaded.record
  const id = before.sale?.id ?? before.payments[0]?.id ?? decision.after.payments[0]?.id ?? ''
  if (request.note === undefined && changesNothing(before, decision))
    return { world, answer: { type: 'written', record: before } }
  const known = world.records[id]
  const isNew = !before.sale && before.payments.length === 0
  if (isNew ? isTaken(world, decision.after) : !known || guardOf(known) !== guardOf(before))
    return { world, answer: { type: 'stale' } }
  if (request.onlyIfFree && hasOtherPayment(world, id))
    return { world, answer: { type: 'other-card' } }
  const told = request.isForBuyer ? tellBuyer(decision, loaded.now) : decision
  const conflict = findConflict(world, id, before, told.after)
  if (conflict) return { world, answer: conflict }
  const record = withMadeFor(applyDecision(before, told, `order ${id}`), before, decision)
  return {
    world: { ...world, records: { ...world.records, [id]: record } },
    answer: { type: 'written', record },
  }
}

/** The payment that an order was created for, which it may be moved away from. */
export type OrderOf = NonNullable<SaleRecord['order']> & { madeFor?: string | null }

function withMadeFor(record: SaleRecord, before: SaleRecord, { order }: Decision): SaleRecord {
  if (!record.order) return record
  const known: OrderOf | undefined = before.order
  const madeFor = order ? (order.payment?.transactionId ?? null) : (known?.madeFor ?? null)
  return { ...record, order: { ...record.order, madeFor } as OrderOf }
}

export function guardOf({ sale, payments }: SaleRecord): number {
  return sale?.version ?? payments[0]?.version ?? 0
}

/** A payment without a sale is not added twice. */
function isTaken({ records }: World, { payments: [added] }: SaleRecord): boolean {
  return Object.values(records).some(({ payments }) =>
    payments.some((one) => one.transactionId === added?.transactionId),
  )
}

/** The unique indexes. */
function findConflict(
  world: World,
  id: string,
  before: SaleRecord,
  after: SaleRecord,
): Written | undefined {
  const others = Object.entries(world.records).filter(([other]) => other !== id)
  const isSubmitted = ({ sale }: SaleRecord) => sale?.state === 'submitted'
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

function hasOtherPayment({ records }: World, id: string): boolean {
  return Object.entries(records).some(
    ([other, { sale }]) =>
      other !== id &&
      sale !== undefined &&
      (sale.state === 'review' || (sale.state === 'paid' && sale.thankedAt === null)),
  )
}

/** The shop uses the other account. What that means for sales is known at once (expediteOtherAccounts in ledger.ts). */
export function changeAccount(world: World): World {
  const merchantCode = merchantCodes.find((one) => one !== world.merchantCode) ?? ''
  const records = Object.entries(world.records).map(([id, record]): [string, SaleRecord] => {
    const { sale } = record
    if (!sale) return [id, record]
    const isLeft = isUnfinished(sale) && sale.merchantCode !== merchantCode
    const question = saleQuestion(record)
    const isBack =
      sale.merchantCode === merchantCode &&
      sale.state === 'review' &&
      question?.state === 'open' &&
      question.reason === 'account-changed'
    if (!isLeft && !isBack) return [id, record]
    const nextCheckAt = new Date(world.now)
    const priority = isLeft ? priorities.fresh : sale.priority
    return [id, { ...record, sale: { ...sale, nextCheckAt, priority, version: sale.version + 1 } }]
  })
  return { ...world, merchantCode, records: Object.fromEntries(records) }
}

/** Closes unused forms that have expired, as ledger.ts does in one statement. */
export function closeUnused(world: World): World {
  const records = Object.entries(world.records).map(([id, record]): [string, SaleRecord] => {
    const { sale } = record
    const isUnused =
      sale?.state === 'open' && sale.validUntil.getTime() < world.now && !sale.nextCheckAt
    return sale && isUnused
      ? [id, { ...record, sale: { ...sale, state: 'closed', version: sale.version + 1 } }]
      : [id, record]
  })
  return { ...world, records: Object.fromEntries(records) }
}

/** How often it may still happen, once it happened. */
export function spend(world: World, name: string): World {
  return { ...world, left: { ...world.left, [name]: (world.left[name] ?? 0) - 1 } }
}

export function has(world: World, name: string): boolean {
  return (world.left[name] ?? 0) > 0
}
