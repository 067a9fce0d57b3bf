import { setTimeout as delay } from 'node:timers/promises'
import type { Country } from '#contract/countries.ts'
import type { CheckoutFormData } from '#contract/public-pages.ts'
import { quote } from '#contract/quotes.ts'
import { createRandom, type Random } from '#tools/random.ts'
import { openBrowser, type Answer, type Browser } from './browser.ts'
import type { Sumup } from './environment.ts'
import { getClaim, type History } from './history.ts'
import { countries, type TabMoment, type Visitor } from './visitors.ts'

/* One visit of a shop: what it is about, how it is recorded, and when its tab is closed. */

export type ChaosContext = {
  addresses: string[]
  sumup: Pick<Sumup, 'account' | 'control'>
  products: string[]
  /** Products of which there are few pieces. */
  scarce?: string[]
  history: History
  /** As the confirmation mail says; undefined while none was written. */
  findOrderNumber?: (orderId: string) => Promise<number | undefined>
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
  isPickup?: boolean
  code?: string
  /** The page offers other ways to pay. */
  isMoreThanCards?: boolean
}

export const maxTries = 10
/** The share of visitors who want something of which there is little. */
const scarceShare = 0.3

export function beginVisit(context: ChaosContext, visitor: Visitor): Visit {
  const random = createRandom(visitor.seed)
  const browser = openBrowser(context.addresses, visitor.ip, random, (call, status) => {
    context.onAnswer?.(call, status)
    if (status >= 500 && status !== 503) context.history.serverErrors.push(`${status} to ${call}`)
  })
  const { products, scarce = [] } = context
  const isScarce = scarce.length > 0 && random.chance(scarceShare)
  const productId = random.pick(isScarce ? scarce : products) ?? ''
  const formId = `tab-1-${visitor.number}`
  return { context, visitor, browser, random, productId, choice: undefined, formId }
}

/** The part of the page's data from which it shows a price. */
type ShownPage = Pick<
  CheckoutFormData,
  'charge' | 'delivery' | 'discount' | 'choice' | 'otherMethods'
>

/** Loads the page. `ended`: it leads to the order, or says that nothing is left. */
export async function loadPage(visit: Visit): Promise<ShownPage | 'ended' | undefined> {
  const { browser, productId, visitor, random, context } = visit
  const answer = await retry(visit, () => browser.visitPage(productId, visitor.code), [200, 303])
  if (!answer) return undefined
  // A redirect to an order whose thank-you page was never seen.
  if (answer.status === 303) {
    recordRedirect(visit, answer)
    return 'ended'
  }
  if (!answer.body.charge) {
    context.history.soldOut.push({ checkoutId: '', receivedAt: answer.receivedAt })
    return 'ended'
  }
  const page = answer.body as ShownPage
  const left = page.choice?.values.filter(({ isSoldOut }) => !isSoldOut) ?? []
  if (!left.some(({ id }) => id === visit.choice)) visit.choice = random.pick(left)?.id
  return page
}

/** The buyer chooses where it goes, or to fetch it; the page says what that costs. */
export function chooseOffer(
  { random, productId }: Visit,
  { charge, delivery, discount }: ShownPage,
): Omit<Offer, 'checkoutId'> & { productId: string } {
  const { amount: price, currency } = charge
  const isPickup = random.chance(0.2) && delivery.pickup !== null
  const wish = isPickup ? { isPickup } : { country: random.pick(countries) }
  const quoted = quote({ price, hasCents: true, discount: discount ?? null, delivery }, wish)
  if (typeof quoted === 'string') throw new Error(`A page shows no price: ${quoted}`)
  const code = discount && { code: discount.code }
  return { productId, amount: quoted.amount, currency, ...wish, ...code }
}

export function recordRedirect(visit: Visit, page: Answer): void {
  const orderId = page.location?.split('/').at(-1)
  recordAnswer(visit, '', { ...page, body: { state: 'paid', orderId } })
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
