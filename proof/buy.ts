import { setTimeout as delay } from 'node:timers/promises'
import { pressElsewhere } from '#server/testing/buyer.ts'
import { payOtherwise, payWithCard, type Answer, type Card, type CardOutcome } from './browser.ts'
import { getClaim } from './history.ts'
import {
  closeTabAt,
  getText,
  isOrder,
  maxTries,
  recordAnswer,
  recordOffer,
  retry,
  TabClosed,
  type Offer,
  type Visit,
} from './visit.ts'
import { getDetails, type OtherWay } from './visitors.ts'

/** What a step leads to: the end of the visit, another try on the same form, or a new form. */
export type Next = 'ended' | 'same form' | 'new form'

const maxCards = 6
const maxUnclearReads = 3
/** How often a buyer reads that the card is at the bank before they start over. */
const readsPerStartOver = 5
/** How long a page asks for the outcome before the buyer leaves. */
const maxWaitMs = 20_000

/** Buys one thing as the checkout page does: it retries, and saves the details before it sends a card. */
export async function buy(visit: Visit, orderFields: object = {}): Promise<void> {
  let form: Offer | undefined
  let wasChallenged = false
  for (let card = 0; card < maxCards; card += 1) {
    const offer: Offer | 'ended' | undefined = form ?? (await openOffer(visit))
    if (offer === 'ended') return
    if (!offer) break
    const chosen = await changeCountry(visit, offer)
    if (chosen === 'ended') return
    let next = await saveDetails(visit, chosen)
    if (next === 'same form') {
      const kind = chooseCard(visit, card, wasChallenged)
      const isOther = card === 0 && visit.context.hasOtherWays && visit.visitor.otherWay
      if (isOther) next = await payInOtherWay(visit, chosen, orderFields)
      else {
        next = await pay(visit, chosen, kind, orderFields)
        wasChallenged ||= kind === 'challenged'
      }
    }
    if (next === 'ended') return
    form = next === 'new form' ? undefined : chosen
  }
  visit.context.history.gaveUp += 1
}

/** What the page shows, and asks the shop for. */
function showPrice(
  { context, visitor, random, productId }: Visit,
  { body }: Answer,
): Omit<Offer, 'checkoutId'> {
  const { price, currency } = body as { price: string; currency: string }
  const product = { price, currency }
  return context.quotes?.show(visitor, random, productId, product) ?? { amount: price, currency }
}

/** Some look at what another country costs, in the same tab or another one, and pay for either. */
async function changeCountry(visit: Visit, offer: Offer): Promise<Offer | 'ended'> {
  const { context, random } = visit
  if (!context.quotes || !random.chance(0.3)) return offer
  const other = await openOffer(visit)
  if (other === 'ended') return 'ended'
  return other && random.chance(0.6) ? other : offer
}

function chooseCard({ visitor }: Visit, attempt: number, wasChallenged: boolean): Card {
  if (visitor.firstCardFails && attempt === 0) return 'declined'
  return visitor.bank && !wasChallenged ? 'challenged' : 'good'
}

/** Opens the payment form; undefined if the shop could not be reached for long. */
export async function openOffer(visit: Visit): Promise<Offer | 'ended' | undefined> {
  const { browser, productId } = visit
  const page = await retry(visit, () => browser.visitPage(productId), [200, 303, 404])
  // A redirect to an order whose thank-you page was never seen.
  if (page?.status === 303) {
    recordRedirect(visit, page)
    return 'ended'
  }
  await browser.trackVisit(productId)
  for (let round = 0; round < maxTries; round += 1) {
    const shown = await retry(visit, () => browser.readProduct(productId), [200])
    if (!shown) return undefined
    const request = { productId, ...showPrice(visit, shown) }
    await closeTabAt(visit, 'opening', (closing) => browser.createCheckout(request, closing))
    const answer = await retry(visit, () => browser.createCheckout(request), [200, 409, 410, 429])
    if (!answer) continue
    if (answer.status === 200) {
      const offer = { ...request, checkoutId: String(answer.body.checkoutId) }
      recordOffer(visit, offer, answer)
      await closeTabAt(visit, 'opened')
      return offer
    }
    if ((await handleRefusal(visit, '', answer)) === 'ended') return 'ended'
  }
  return undefined
}

function recordRedirect(visit: Visit, page: Answer): void {
  const orderId = page.location?.split('/').at(-1)
  recordAnswer(visit, '', { ...page, body: { state: 'paid', orderId } })
}

export async function saveDetails(
  visit: Visit,
  { checkoutId, country }: Pick<Offer, 'checkoutId' | 'country'>,
): Promise<Next | undefined> {
  const { browser, visitor, formId } = visit
  const details = { ...getDetails(visitor, { country, choice: visit.choice }), formId }
  await closeTabAt(visit, 'saving', (closing) => browser.saveDetails(checkoutId, details, closing))
  const call = () => browser.saveDetails(checkoutId, details)
  const saved = await retry(visit, call, [204, 409, 410, 429])
  if (!saved) return undefined
  if (saved.status !== 204) return handleRefusal(visit, checkoutId, saved)
  await closeTabAt(visit, 'saved')
  return 'same form'
}

/** Continues as the refusal's code says, like the page. */
async function handleRefusal(visit: Visit, checkoutId: string, answer: Answer): Promise<Next> {
  const about = getText(answer, 'checkoutId') || checkoutId
  recordAnswer(visit, about, answer)
  const { receivedAt } = answer
  if (getText(answer, 'code').endsWith('sold-out')) {
    visit.context.history.soldOut.push({ checkoutId, receivedAt })
    visit.choice = visit.random.pick(visit.context.values?.get(visit.productId) ?? [])
  }
  switch (answer.body.code) {
    case 'sold-out':
    case 'already-paid':
    case 'payment-in-review':
    case 'too-many-cards':
    case 'payment-missing':
      return 'ended'
    case 'card-at-bank':
    case 'card-under-way':
      return about === '' ? 'new form' : waitForOutcome(visit, about)
    default:
      return 'new form'
  }
}

/** The waiting panel: asks for the outcome until there is one or the buyer gives up. */
export async function waitForOutcome(visit: Visit, checkoutId: string): Promise<Next> {
  const { browser, random } = visit
  const seen = { 'at-bank': 0, 'no-card': 0 }
  for (const giveUpAt = Date.now() + maxWaitMs; Date.now() < giveUpAt;) {
    const answer = await browser.readCheckout(checkoutId)
    if (answer) recordAnswer(visit, checkoutId, answer)
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
        if (seen['at-bank'] % readsPerStartOver === 0 && (await startOver(visit, checkoutId)))
          return 'new form'
        break
      case 'waiting':
        if (answer.body.reason === 'no-card') seen['no-card'] += 1
        if (seen['no-card'] > maxUnclearReads) return 'same form'
    }
    await delay(random.between(200, 600))
  }
  return 'ended'
}

/** "I did not finish at my bank": true if the buyer may use another card. */
export async function startOver(visit: Visit, checkoutId: string): Promise<boolean> {
  const call = () => visit.browser.startOver(checkoutId)
  const answer = await retry(visit, call, [204, 404, 409, 410, 429])
  if (answer && answer.status !== 204) recordAnswer(visit, checkoutId, answer)
  return answer?.status === 204
}

async function pay(visit: Visit, offer: Offer, card: Card, orderFields: object): Promise<Next> {
  const paying = payWithCard(visit.context.sumup.account.url, offer.checkoutId, card)
  await closeTabAt(visit, 'paying')
  const outcome = await paying
  if (card === 'challenged' && outcome === 'PENDING') return answerBank(visit, offer, orderFields)
  return finishPaying(visit, offer, outcome, orderFields)
}

async function finishPaying(
  visit: Visit,
  offer: Offer,
  outcome: CardOutcome,
  orderFields: object,
): Promise<Next> {
  const isPaid = outcome === 'PAID' || outcome === 'PENDING' || outcome === 'processed'
  if (isPaid || outcome === 'unknown') await closeTabAt(visit, 'paid')
  // If the widget does not know the outcome, the page asks for it before another card is sent.
  return isPaid ? placeOrder(visit, offer, orderFields) : waitForOutcome(visit, offer.checkoutId)
}

/** With a wallet in the page, or on a page elsewhere, from which the buyer comes back or does not. */
async function payInOtherWay(visit: Visit, offer: Offer, orderFields: object): Promise<Next> {
  const { visitor, random, context } = visit
  const { checkoutId } = offer
  const { account } = context.sumup
  const wallets: Partial<Record<OtherWay, 'approved' | 'declined'>> = {
    'pays with a wallet': 'approved',
    'is declined in a wallet': 'declined',
  }
  const wallet = visitor.otherWay && wallets[visitor.otherWay]
  const paying = payOtherwise(account.url, checkoutId, wallet)
  await closeTabAt(visit, 'paying')
  const { outcome, secret } = await paying
  if (!secret) return finishPaying(visit, offer, outcome, orderFields)
  const press = async (button: string) => {
    await delay(random.between(50, 600))
    await pressElsewhere(account, checkoutId, secret, button)
  }
  const comeBackLate = async (outcome: 'approve' | 'decline') => {
    await press('approve-later')
    const settled = delay(random.between(200, 3_000)).then(() =>
      context.sumup.control('answer-bank', { checkout: checkoutId, outcome }),
    )
    const [next] = await Promise.all([comeBackTo(visit, checkoutId), settled])
    return next
  }
  switch (visitor.otherWay) {
    case 'fails elsewhere':
      await press('decline')
      return comeBackTo(visit, checkoutId)
    case 'cancels elsewhere':
      await press('cancel')
      return comeBackTo(visit, checkoutId)
    case 'is elsewhere, then it is paid':
      return comeBackLate('approve')
    case 'is elsewhere, then it fails':
      return comeBackLate('decline')
    case 'pays elsewhere and never returns':
      await press('approve-and-stay')
      throw new TabClosed()
    case 'never finishes elsewhere':
      throw new TabClosed()
    case 'comes back and starts over': {
      await reopenPage(visit)
      const isOver = await startOver(visit, checkoutId)
      // On the page that is still open elsewhere.
      await press('approve')
      return isOver ? 'new form' : waitForOutcome(visit, checkoutId)
    }
    case 'pays elsewhere':
    case 'pays with a wallet':
    case 'is declined in a wallet':
    case undefined:
      await press('approve')
      return comeBackTo(visit, checkoutId)
  }
}

/** The page that was left, loaded anew: it leads to the order, or asks what became of the payment. */
async function comeBackTo(visit: Visit, checkoutId: string): Promise<Next> {
  const page = await retry(visit, () => visit.browser.visitPage(visit.productId), [200, 303])
  if (page?.status !== 303) return waitForOutcome(visit, checkoutId)
  recordRedirect(visit, page)
  return 'ended'
}

/** The bank asks the buyer to confirm. */
async function answerBank(visit: Visit, offer: Offer, orderFields: object): Promise<Next> {
  const { visitor, random, context } = visit
  const { checkoutId } = offer
  const finish = () => placeOrder(visit, offer, orderFields)
  const bank = async (outcome: 'approve' | 'decline') => {
    await delay(random.between(50, 600))
    // 404: because of a fault the bank has answered already.
    const answered = context.sumup.control('answer-bank', { checkout: checkoutId, outcome })
    await answered.catch((error: Error) => {
      if (error.cause !== 404) throw error
    })
  }
  const leave = (outcome: 'approve' | 'decline'): never => {
    visit.afterwards = async () => {
      await delay(random.between(200, 1_500))
      await bank(outcome)
    }
    throw new TabClosed()
  }
  switch (visitor.bank) {
    case undefined:
    case 'approves':
      await bank('approve')
      return finish()
    case 'declines':
      await bank('decline')
      return waitForOutcome(visit, checkoutId)
    case 'reloads the page':
      await reopenPage(visit)
      await bank('approve')
      return waitForOutcome(visit, checkoutId)
    case 'opens a second tab': {
      const [next] = await Promise.all([
        bank('approve').then(finish),
        reopenPage({ ...visit, formId: `tab-2-${visitor.number}` }),
      ])
      return next
    }
    case 'starts over':
      if (await startOver(visit, checkoutId)) return 'new form'
      await bank('approve')
      return finish()
    case 'leaves, the bank approves':
      return leave('approve')
    case 'leaves, the bank declines':
      return leave('decline')
    case 'is late, the bank approves':
      await context.sumup.control('expire', { checkout: checkoutId })
      await readOnce(visit, checkoutId)
      await bank('approve')
      return finish()
    case 'is late, the bank declines':
      await context.sumup.control('expire', { checkout: checkoutId })
      await readOnce(visit, checkoutId)
      await bank('decline')
      return waitForOutcome(visit, checkoutId)
  }
}

/**
 * Opens the page again while the card is at the bank, until it shows a form or says something about the sale, and only
 * records that.
 */
async function reopenPage(visit: Visit): Promise<void> {
  const { browser, productId } = visit
  const open = async () => {
    const shown = await browser.readProduct(productId)
    if (shown?.status !== 200) return undefined
    const request = { productId, ...showPrice(visit, shown) }
    const answer = await browser.createCheckout(request)
    if (answer?.status === 200)
      recordOffer(visit, { ...request, checkoutId: String(answer.body.checkoutId) }, answer)
    else if (answer) recordAnswer(visit, getText(answer, 'checkoutId'), answer)
    return answer && (answer.status === 200 || getClaim(answer)) ? answer : undefined
  }
  await retry(visit, open, [200, 402, 409, 410, 429])
}

async function readOnce(visit: Visit, checkoutId: string): Promise<void> {
  const answer = await retry(visit, () => visit.browser.readCheckout(checkoutId), [200])
  if (answer) recordAnswer(visit, checkoutId, answer)
}

/** Reports the payment until the shop answers with an order or a refusal. */
export async function placeOrder(
  visit: Visit,
  { checkoutId, country, code: _code, ...charge }: Offer,
  orderFields: object = {},
): Promise<Next> {
  const { browser, visitor, productId, random } = visit
  const order = {
    productId,
    quantity: 1,
    ...charge,
    ...getDetails(visitor, { country, choice: visit.choice }),
    sumupCheckoutId: checkoutId,
    status: 'pending',
    ...orderFields,
  }
  await closeTabAt(visit, 'ordering', (closing) => browser.placeOrder(order, closing))
  const clicks = visitor.doubleClicks ? 2 : 1
  let atBank = 0
  for (const giveUpAt = Date.now() + maxWaitMs; Date.now() < giveUpAt;) {
    const results = await Promise.all(
      Array.from({ length: clicks }, () => browser.placeOrder(order)),
    )
    const answers = results.filter((answer) => answer !== undefined)
    for (const answer of answers) recordAnswer(visit, checkoutId, answer)
    if (answers.some(isOrder)) {
      await closeTabAt(visit, 'ordered')
      return 'ended'
    }
    const refused = answers.find(({ status }) => [402, 404, 409, 410, 429].includes(status))
    if (refused?.status === 402) return 'same form'
    if (refused) return refused.body.code === 'checkout-expired' ? 'new form' : 'ended'
    if (answers.some(({ body }) => body.state === 'at-bank')) atBank += 1
    if (atBank >= readsPerStartOver && (await startOver(visit, checkoutId))) return 'new form'
    await delay(random.between(200, 800))
  }
  return 'ended'
}
