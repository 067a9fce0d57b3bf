import { setTimeout as delay } from 'node:timers/promises'
import { payWithCard, type Answer, type Card } from './browser.ts'
import { payInOtherWay } from './other-ways.ts'
import {
  finishPaying,
  placeOrder,
  readOnce,
  reopenPage,
  startOver,
  waitForOutcome,
  type Next,
} from './outcome.ts'
import {
  chooseOffer,
  closeTabAt,
  getText,
  loadPage,
  maxTries,
  recordAnswer,
  recordOffer,
  retry,
  TabClosed,
  type Offer,
  type Visit,
} from './visit.ts'
import { getDetails } from './visitors.ts'

const maxCards = 6

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
      if (card === 0 && chosen.isMoreThanCards && visit.visitor.otherWay)
        next = await payInOtherWay(visit, chosen, orderFields)
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

/** Some look at what another country or pickup costs, in the same tab or another one, and pay for either. */
async function changeCountry(visit: Visit, offer: Offer): Promise<Offer | 'ended'> {
  const { random } = visit
  if (!random.chance(0.3)) return offer
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
  await browser.trackVisit(productId)
  for (let round = 0; round < maxTries; round += 1) {
    const page = await loadPage(visit)
    if (!page || page === 'ended') return page
    const request = chooseOffer(visit, page)
    await closeTabAt(visit, 'opening', (closing) => browser.createCheckout(request, closing))
    const answer = await retry(visit, () => browser.createCheckout(request), [200, 409, 410, 429])
    if (!answer) continue
    if (answer.status === 200) {
      const isMoreThanCards = page.otherMethods !== undefined
      const offer = { ...request, checkoutId: String(answer.body.checkoutId), isMoreThanCards }
      recordOffer(visit, offer, answer)
      await closeTabAt(visit, 'opened')
      return offer
    }
    if ((await handleRefusal(visit, '', answer)) === 'ended') return 'ended'
  }
  return undefined
}

export async function saveDetails(
  visit: Visit,
  { checkoutId, country, isPickup }: Offer,
): Promise<Next | undefined> {
  const { browser, visitor, formId } = visit
  const details = { ...getDetails(visitor, { country, isPickup, choice: visit.choice }), formId }
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
    visit.choice = undefined
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

async function pay(visit: Visit, offer: Offer, card: Card, orderFields: object): Promise<Next> {
  const paying = payWithCard(visit.context.sumup.account.url, offer.checkoutId, card)
  await closeTabAt(visit, 'paying')
  const outcome = await paying
  if (card === 'challenged' && outcome === 'PENDING') return answerBank(visit, offer, orderFields)
  return finishPaying(visit, offer, outcome, orderFields)
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
