import { setTimeout as pause } from 'node:timers/promises'
import { openBrowser, type Answer, type Browser } from './browser.ts'
import { payByCard } from './card.ts'
import { chanceOf, type Chance } from './chance.ts'
import { detailsOf } from './details.ts'
import type { History } from './history.ts'
import type { Death, Visitor } from './plan-visitors.ts'

export type World = {
  addresses: string[]
  sumupUrl: string
  products: string[]
  history: History
}

/** A visit under way: who, with which browser, and what is known so far. */
export type Visit = {
  world: World
  visitor: Visitor
  browser: Browser
  chance: Chance
  productId: string
}

export type Offer = { checkoutId: string; amount: string; currency: string }

const tries = 10
const unclearLooks = 3
/** How long a page asks how a payment went before its owner walks away. */
const waitingMs = 20_000

export function beginVisit(world: World, visitor: Visitor): Visit {
  const chance = chanceOf(visitor.seed)
  const browser = openBrowser(world.addresses, visitor.ip, chance, (call, status) => {
    if (status >= 500 && status !== 503) world.history.wrongAnswers.push(`${status} to ${call}`)
  })
  return { world, visitor, browser, chance, productId: chance.pick(world.products) ?? '' }
}

/** Somebody buys one thing, as the checkout page lets them: the page asks again, the card never goes first. */
export async function buy(visit: Visit, claimed: object = {}): Promise<void> {
  const offer = await openOffer(visit)
  if (!offer || !(await keepDetails(visit, offer))) return turnAway(visit)
  for (let card = 0; card < 4; card += 1) {
    const isPaid = await pay(visit, offer, card)
    if (isPaid && (await placeOrder(visit, offer, claimed)) !== 'declined') return
  }
  turnAway(visit)
}

export async function openOffer(visit: Visit): Promise<Offer | undefined> {
  const { browser, productId } = visit
  await again(visit, () => browser.visit(productId), [200, 404])
  await browser.tellOfVisit(productId)
  for (let round = 0; round < tries; round += 1) {
    const shown = await again(visit, () => browser.product(productId), [200])
    if (!shown) return undefined
    const { price: amount, currency } = shown.body as { price: string; currency: string }
    const asked = { productId, amount, currency }
    await maybeDie(visit, 'opening', (closing) => browser.open(asked, closing))
    // 409: the price is another one by now, so the page is loaded anew.
    const answer = await again(visit, () => browser.open(asked), [200, 409])
    if (answer?.status !== 200) continue
    const offer = { ...asked, checkoutId: String(answer.body.checkoutId) }
    noteOffer(visit, offer)
    await maybeDie(visit, 'opened')
    return offer
  }
  return undefined
}

export function noteOffer({ world, visitor }: Visit, { checkoutId, amount }: Offer): void {
  const isAttack = visitor.attack !== undefined
  world.history.offers.push({ visitor: visitor.number, checkoutId, amount, isAttack })
}

export async function keepDetails(visit: Visit, { checkoutId }: Offer): Promise<boolean> {
  const { browser, visitor } = visit
  const details = detailsOf(visitor)
  await maybeDie(visit, 'keeping', (closing) => browser.keepDetails(checkoutId, details, closing))
  const kept = await again(visit, () => browser.keepDetails(checkoutId, details), [204])
  if (kept) await maybeDie(visit, 'kept')
  return kept !== undefined
}

/** Answers whether money may have moved. An unclear answer is looked into, as the page does, before a card goes again. */
async function pay(visit: Visit, { checkoutId }: Offer, attempt: number): Promise<boolean> {
  const { world, visitor, browser, chance } = visit
  const card = visitor.firstCardFails && attempt === 0 ? 'declined' : 'good'
  const paying = payByCard(world.sumupUrl, checkoutId, card)
  await maybeDie(visit, 'paying')
  const outcome = await paying
  if (outcome === 'FAILED') return false
  await maybeDie(visit, 'paid')
  if (outcome !== 'unknown') return true
  for (let looks = 0; looks < unclearLooks; looks += 1) {
    await pause(chance.between(200, 600))
    const standing = await browser.look(checkoutId)
    if (standing?.body.state === 'paid') return true
  }
  return false
}

/** The browser says that it paid, until it is told an order or that nothing was paid. */
export async function placeOrder(
  visit: Visit,
  { checkoutId, ...charge }: Offer,
  claimed: object = {},
): Promise<'ended' | 'declined'> {
  const { browser, visitor, productId, chance } = visit
  const order = {
    productId,
    quantity: 1,
    ...charge,
    ...detailsOf(visitor),
    sumupCheckoutId: checkoutId,
    status: 'pending',
    ...claimed,
  }
  await maybeDie(visit, 'ordering', (closing) => browser.order(order, closing))
  const clicks = visitor.doubleClicks ? 2 : 1
  for (const giveUpAt = Date.now() + waitingMs; Date.now() < giveUpAt;) {
    const answers = await Promise.all(Array.from({ length: clicks }, () => browser.order(order)))
    for (const answer of answers) notePromise(visit, checkoutId, answer)
    if (answers.some((answer) => isOrder(answer))) {
      await maybeDie(visit, 'ordered')
      return 'ended'
    }
    if (answers.some((answer) => answer?.status === 402)) return 'declined'
    if (answers.some((answer) => answer && [404, 409, 410].includes(answer.status))) return 'ended'
    await pause(chance.between(200, 800))
  }
  return 'ended'
}

export function isOrder(answer: Answer | undefined): boolean {
  return answer?.status === 200 || answer?.status === 201
}

export function notePromise({ world, visitor }: Visit, checkoutId: string, answer?: Answer): void {
  if (!answer || !isOrder(answer)) return
  const orderId = String(answer.body.id)
  world.history.promises.push({ visitor: visitor.number, checkoutId, orderId })
}

/** Asks again until one of these answers comes, as patient as a person. */
export async function again(
  { chance }: Visit,
  ask: () => Promise<Answer | undefined>,
  good: number[],
): Promise<Answer | undefined> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const answer = await ask()
    if (answer && good.includes(answer.status)) return answer
    await pause(chance.between(200, 900))
  }
  return undefined
}

function turnAway({ world }: Visit): void {
  world.history.turnedAway += 1
}

export class TabClosed extends Error {
  override readonly name = 'TabClosed'
}

/** The moment a tab is closed: nothing more is done, and a call under way is cut off. */
async function maybeDie(
  { visitor, chance }: Visit,
  here: Death,
  call?: (closing: AbortSignal) => Promise<unknown>,
): Promise<void> {
  if (visitor.dies !== here) return
  const closing = new AbortController()
  const underWay = call?.(closing.signal)
  await pause(chance.between(0, 60))
  closing.abort()
  await underWay
  throw new TabClosed()
}
