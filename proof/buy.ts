import { setTimeout as pause } from 'node:timers/promises'
import { openBrowser, type Answer, type Browser } from './browser.ts'
import { payByCard, type Card } from './card.ts'
import { chanceOf, type Chance } from './chance.ts'
import { claimOf, type History } from './history.ts'
import { detailsOf, type Death, type Visitor } from './plan-visitors.ts'
import type { Sumup } from './start-sumup.ts'

export type World = {
  addresses: string[]
  sumup: Pick<Sumup, 'account' | 'control'>
  products: string[]
  history: History
}

/** A visit under way: who, with which browser and tab, and what is known so far. */
export type Visit = {
  world: World
  visitor: Visitor
  browser: Browser
  chance: Chance
  productId: string
  formId: string
  /** What goes on after the tab was closed. */
  afterwards?: () => Promise<void>
}

export type Offer = { checkoutId: string; amount: string; currency: string }

/** Where a step leads: the visit is over, the same form serves again, or another one is needed. */
export type Next = 'ended' | 'same form' | 'new form'

const tries = 10
const mostCards = 6
const unclearLooks = 3
/** So many times somebody reads that the card is at the bank before they give it up. */
const bankLooks = 5
/** How long a page asks how a payment went before its owner walks away. */
const waitingMs = 20_000

export function beginVisit(world: World, visitor: Visitor): Visit {
  const chance = chanceOf(visitor.seed)
  const browser = openBrowser(world.addresses, visitor.ip, chance, (call, status) => {
    if (status >= 500 && status !== 503) world.history.wrongAnswers.push(`${status} to ${call}`)
  })
  const productId = chance.pick(world.products) ?? ''
  return { world, visitor, browser, chance, productId, formId: `tab-1-${visitor.number}` }
}

/** Somebody buys one thing, as the checkout page lets them: the page asks again, the card never goes first. */
export async function buy(visit: Visit, claimed: object = {}): Promise<void> {
  let form: Offer | undefined
  let wasAsked = false
  for (let card = 0; card < mostCards; card += 1) {
    const offer: Offer | 'ended' | undefined = form ?? (await openOffer(visit))
    if (offer === 'ended') return
    if (!offer) break
    let next = await keepDetails(visit, offer)
    if (next === 'same form') {
      const kind = cardFor(visit, card, wasAsked)
      next = await pay(visit, offer, kind, claimed)
      wasAsked ||= kind === 'challenged'
    }
    if (next === 'ended') return
    form = next === 'new form' ? undefined : offer
  }
  visit.world.history.turnedAway += 1
}

function cardFor({ visitor }: Visit, attempt: number, wasAsked: boolean): Card {
  if (visitor.firstCardFails && attempt === 0) return 'declined'
  return visitor.bank && !wasAsked ? 'challenged' : 'good'
}

/** The form, as the page gets it; undefined where the shop could not be reached for long. */
export async function openOffer(visit: Visit): Promise<Offer | 'ended' | undefined> {
  const { browser, productId } = visit
  const page = await again(visit, () => browser.visit(productId), [200, 303, 404])
  // An order whose thank-you page was never seen: the page leads there.
  if (page?.status === 303) {
    note(visit, '', { ...page, body: { state: 'paid', orderId: page.location?.split('/').at(-1) } })
    return 'ended'
  }
  await browser.tellOfVisit(productId)
  for (let round = 0; round < tries; round += 1) {
    const shown = await again(visit, () => browser.product(productId), [200])
    if (!shown) return undefined
    const { price: amount, currency } = shown.body as { price: string; currency: string }
    const asked = { productId, amount, currency }
    await maybeDie(visit, 'opening', (closing) => browser.open(asked, closing))
    const answer = await again(visit, () => browser.open(asked), [200, 409, 410, 429])
    if (!answer) continue
    if (answer.status === 200) {
      const offer = { ...asked, checkoutId: String(answer.body.checkoutId) }
      noteOffer(visit, offer, answer)
      await maybeDie(visit, 'opened')
      return offer
    }
    if ((await takeRefusal(visit, '', answer)) === 'ended') return 'ended'
  }
  return undefined
}

export function noteOffer(
  { world, visitor }: Visit,
  { checkoutId, amount }: Offer,
  { askedAt, toldAt }: Answer,
): void {
  const isAttack = visitor.attack !== undefined
  const { number } = visitor
  world.history.offers.push({ visitor: number, checkoutId, amount, isAttack, askedAt, toldAt })
}

/** Each card goes after its details, as the page does it. */
export async function keepDetails(visit: Visit, { checkoutId }: Offer): Promise<Next | undefined> {
  const { browser, visitor, formId } = visit
  const details = { ...detailsOf(visitor), formId }
  await maybeDie(visit, 'keeping', (closing) => browser.keepDetails(checkoutId, details, closing))
  const ask = () => browser.keepDetails(checkoutId, details)
  const kept = await again(visit, ask, [204, 409, 410, 429])
  if (!kept) return undefined
  if (kept.status !== 204) return takeRefusal(visit, checkoutId, kept)
  await maybeDie(visit, 'kept')
  return 'same form'
}

/** What the page does with a refusal: its sentence, and the way on that its code names. */
async function takeRefusal(visit: Visit, checkoutId: string, answer: Answer): Promise<Next> {
  const about = textIn(answer, 'checkoutId') || checkoutId
  note(visit, about, answer)
  switch (answer.body.code) {
    case 'already-paid':
    case 'payment-in-review':
    case 'too-many-cards':
    case 'payment-missing':
      return 'ended'
    case 'card-at-bank':
    case 'card-under-way':
      return about === '' ? 'new form' : waitForEnd(visit, about)
    default:
      return 'new form'
  }
}

/** The waiting panel: how a payment went that is under way, until it is over or its owner gives it up. */
export async function waitForEnd(visit: Visit, checkoutId: string): Promise<Next> {
  const { browser, chance } = visit
  const seen = { 'at-bank': 0, 'no-card': 0 }
  for (const giveUpAt = Date.now() + waitingMs; Date.now() < giveUpAt;) {
    const answer = await browser.look(checkoutId)
    if (answer) note(visit, checkoutId, answer)
    switch (answer?.body.state) {
      case 'paid':
      case 'review':
      case 'too-many-cards':
        return 'ended'
      case 'declined':
      case 'open':
        return 'same form'
      case 'closed':
        return 'new form'
      case 'at-bank':
        seen['at-bank'] += 1
        if (seen['at-bank'] % bankLooks === 0 && (await startOver(visit, checkoutId)))
          return 'new form'
        break
      case 'waiting':
        if (answer.body.reason === 'no-card') seen['no-card'] += 1
        if (seen['no-card'] > unclearLooks) return 'same form'
    }
    await pause(chance.between(200, 600))
  }
  return 'ended'
}

/** "I did not finish at my bank": whether the shop has let go of the card. */
export async function startOver(visit: Visit, checkoutId: string): Promise<boolean> {
  const ask = () => visit.browser.startOver(checkoutId)
  const answer = await again(visit, ask, [204, 404, 409, 410, 429])
  if (answer && answer.status !== 204) note(visit, checkoutId, answer)
  return answer?.status === 204
}

async function pay(visit: Visit, offer: Offer, card: Card, claimed: object): Promise<Next> {
  const paying = payByCard(visit.world.sumup.account.url, offer.checkoutId, card)
  await maybeDie(visit, 'paying')
  const outcome = await paying
  if (card === 'challenged' && outcome === 'PENDING') return answerBank(visit, offer, claimed)
  const isPaid = outcome === 'PAID' || outcome === 'PENDING' || outcome === 'processed'
  if (isPaid || outcome === 'unknown') await maybeDie(visit, 'paid')
  // What the widget does not know for sure is looked into before a card goes again.
  return isPaid ? placeOrder(visit, offer, claimed) : waitForEnd(visit, offer.checkoutId)
}

/** The bank has asked its customer to confirm. */
async function answerBank(visit: Visit, offer: Offer, claimed: object): Promise<Next> {
  const { visitor, chance, world } = visit
  const { checkoutId } = offer
  const order = () => placeOrder(visit, offer, claimed)
  const bank = async (outcome: 'approve' | 'decline') => {
    await pause(chance.between(50, 600))
    // A fault may have let the bank answer by itself.
    const asked = world.sumup.control('answer-bank', { checkout: checkoutId, outcome })
    await asked.catch((error: Error) => {
      if (error.cause !== 404) throw error
    })
  }
  const leave = (outcome: 'approve' | 'decline'): never => {
    visit.afterwards = async () => {
      await pause(chance.between(200, 1_500))
      await bank(outcome)
    }
    throw new TabClosed()
  }
  switch (visitor.bank) {
    case undefined:
    case 'approves':
      await bank('approve')
      return order()
    case 'declines':
      await bank('decline')
      return waitForEnd(visit, checkoutId)
    case 'reloads the page':
      await lookIn(visit)
      await bank('approve')
      return waitForEnd(visit, checkoutId)
    case 'opens a second tab': {
      const [next] = await Promise.all([
        bank('approve').then(order),
        lookIn({ ...visit, formId: `tab-2-${visitor.number}` }),
      ])
      return next
    }
    case 'starts over':
      if (await startOver(visit, checkoutId)) return 'new form'
      await bank('approve')
      return order()
    case 'leaves, the bank approves':
      return leave('approve')
    case 'leaves, the bank declines':
      return leave('decline')
    case 'is late, the bank approves':
      await world.sumup.control('expire', { checkout: checkoutId })
      await look(visit, checkoutId)
      await bank('approve')
      return order()
    case 'is late, the bank declines':
      await world.sumup.control('expire', { checkout: checkoutId })
      await look(visit, checkoutId)
      await bank('decline')
      return waitForEnd(visit, checkoutId)
  }
}

/** The page is opened again while the card is at the bank: what it would show is noted, nothing is done with it. */
async function lookIn(visit: Visit): Promise<void> {
  const { browser, productId } = visit
  const shown = await again(visit, () => browser.product(productId), [200])
  const { price: amount, currency } = (shown?.body ?? {}) as { price: string; currency: string }
  const asked = { productId, amount, currency }
  const answer = await browser.open(asked)
  if (answer?.status === 200)
    noteOffer(visit, { ...asked, checkoutId: String(answer.body.checkoutId) }, answer)
  else if (answer) note(visit, textIn(answer, 'checkoutId'), answer)
}

async function look(visit: Visit, checkoutId: string): Promise<void> {
  const answer = await again(visit, () => visit.browser.look(checkoutId), [200])
  if (answer) note(visit, checkoutId, answer)
}

/** The browser says that it paid, until it is told an order or that nothing was paid. */
export async function placeOrder(
  visit: Visit,
  { checkoutId, ...charge }: Offer,
  claimed: object = {},
): Promise<Next> {
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
  let atBank = 0
  for (const giveUpAt = Date.now() + waitingMs; Date.now() < giveUpAt;) {
    const asked = await Promise.all(Array.from({ length: clicks }, () => browser.order(order)))
    const answers = asked.filter((answer) => answer !== undefined)
    for (const answer of answers) note(visit, checkoutId, answer)
    if (answers.some(isOrder)) {
      await maybeDie(visit, 'ordered')
      return 'ended'
    }
    const refused = answers.find(({ status }) => [402, 404, 409, 410, 429].includes(status))
    if (refused?.status === 402) return 'same form'
    if (refused) return refused.body.code === 'checkout-expired' ? 'new form' : 'ended'
    if (answers.some(({ body }) => body.state === 'at-bank')) atBank += 1
    if (atBank >= bankLooks && (await startOver(visit, checkoutId))) return 'new form'
    await pause(chance.between(200, 800))
  }
  return 'ended'
}

export function isOrder({ status }: Answer): boolean {
  return status === 200 || status === 201
}

/** Writes down what an answer made the page say: an order, or a sentence about the payment. */
export function note({ world, visitor }: Visit, checkoutId: string, answer: Answer): void {
  const { askedAt, toldAt } = answer
  const { promises, statements } = world.history
  const { number } = visitor
  const made = isOrder(answer) ? textIn(answer, 'id') : ''
  if (made) promises.push({ visitor: number, checkoutId, orderId: made })
  const claim = claimOf(answer)
  const orderId = textIn(answer, 'orderId')
  if (claim)
    statements.push({
      visitor: number,
      checkoutId,
      claim,
      ...(orderId && { orderId }),
      askedAt,
      toldAt,
    })
}

function textIn({ body }: Answer, name: string): string {
  const { [name]: value } = body
  return typeof value === 'string' ? value : ''
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
