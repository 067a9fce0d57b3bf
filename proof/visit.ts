import { setTimeout as delay } from 'node:timers/promises'
import type { Country } from '#contract/countries.ts'
import { createRandom, type Random } from '#tools/random.ts'
import { openBrowser, type Answer, type Browser } from './browser.ts'
import type { Sumup } from './environment.ts'
import { getClaim, type History } from './history.ts'
import type { Quotes } from './quotes.ts'
import type { TabMoment, Visitor } from './visitors.ts'

/* One visit of a shop: what it is about, how it is recorded, and when its tab is closed. */

export type ChaosContext = {
  addresses: string[]
  sumup: Pick<Sumup, 'account' | 'control'>
  products: string[]
  /** Of products with a choice, the ids of its values. */
  values?: Map<string, string[]>
  history: History
  /** As the confirmation mail says; undefined while none was written. */
  findOrderNumber?: (orderId: string) => Promise<number | undefined>
  /** Where prices depend on country, pickup and code. */
  quotes?: Pick<Quotes, 'show'> | undefined
  /** The owner has switched on other ways to pay than cards. */
  hasOtherWays?: boolean
  /** Told of every answer, and of calls without one. */
  onAnswer?: (call: string, status: number) => void
}

export type Visit = {
  context: ChaosContext
  visitor: Visitor
  browser: Browser
  random: Random
  productId: string
  choice: string | undefined
  formId: string
  /** What still happens after the tab was closed. */
  afterwards?: () => Promise<void>
}

export type Offer = {
  checkoutId: string
  amount: string
  currency: string
  country?: Country
  isPickup?: true
  code?: string
}

export const maxTries = 10

export function beginVisit(context: ChaosContext, visitor: Visitor): Visit {
  const random = createRandom(visitor.seed)
  const browser = openBrowser(context.addresses, visitor.ip, random, (call, status) => {
    context.onAnswer?.(call, status)
    if (status >= 500 && status !== 503) context.history.serverErrors.push(`${status} to ${call}`)
  })
  const productId = random.pick(context.products) ?? ''
  const values = context.values?.get(productId)
  const choice = values && random.pick(values)
  return { context, visitor, browser, random, productId, choice, formId: `tab-1-${visitor.number}` }
}

export function recordOffer(
  { context, visitor }: Visit,
  { checkoutId, amount }: Offer,
  { sentAt, receivedAt }: Answer,
): void {
  const isAttack = visitor.attack !== undefined
  const { number } = visitor
  context.history.offers.push({ visitor: number, checkoutId, amount, isAttack, sentAt, receivedAt })
}

export function isOrder({ status }: Answer): boolean {
  return status === 200 || status === 201
}

/** Records what the page shows: an order, or a claim about the payment. */
export function recordAnswer(
  { context, visitor }: Visit,
  checkoutId: string,
  answer: Answer,
): void {
  const { sentAt, receivedAt } = answer
  const { confirmedOrders, statements } = context.history
  const { number } = visitor
  const createdId = isOrder(answer) ? getText(answer, 'id') : ''
  if (createdId) confirmedOrders.push({ visitor: number, checkoutId, orderId: createdId })
  const claim = getClaim(answer)
  const orderId = getText(answer, 'orderId')
  if (claim)
    statements.push({
      visitor: number,
      checkoutId,
      claim,
      ...(orderId && { orderId }),
      sentAt,
      receivedAt,
    })
}

export function getText({ body }: Answer, name: string): string {
  const { [name]: value } = body
  return typeof value === 'string' ? value : ''
}

/** Repeats a call until it has one of these statuses. */
export async function retry(
  { random }: Visit,
  call: () => Promise<Answer | undefined>,
  statuses: number[],
): Promise<Answer | undefined> {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const answer = await call()
    if (answer && statuses.includes(answer.status)) return answer
    await delay(random.between(200, 900))
  }
  return undefined
}

export class TabClosed extends Error {
  override readonly name = 'TabClosed'
}

/** Closes the tab if the visitor does so at this moment; a call in progress is aborted. */
export async function closeTabAt(
  { visitor, random }: Visit,
  moment: TabMoment,
  call?: (closing: AbortSignal) => Promise<unknown>,
): Promise<void> {
  if (visitor.closesTabAt !== moment) return
  const closing = new AbortController()
  const calling = call?.(closing.signal)
  await delay(random.between(0, 60))
  closing.abort()
  await calling
  throw new TabClosed()
}
