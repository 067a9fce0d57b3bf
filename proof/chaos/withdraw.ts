import { setTimeout as delay } from 'node:timers/promises'
import type { StatedWithdrawal } from './history.ts'
import type { Visit } from './visit.ts'
import { getDetails, type WithdrawalKind } from './visitors.ts'

/** All of these are acknowledged: an address that nobody bought with gets no more mails in an hour. */
const maxTries = 3
const unknownNumber = '#99999999'
/** The shop writes 40 mails an hour about statements that fit no order, and each of these is sent up to three times. */
const maxWrongNumbers = 13

/** States that the visitor withdraws from what they have bought, if they know that they have. */
export async function withdraw({ context, visitor, browser, random }: Visit): Promise<void> {
  const { history } = context
  const bought = history.confirmedOrders.findLast((one) => one.visitor === visitor.number)
  if (!bought || !visitor.withdraws) return
  const number = await context.findOrderNumber?.(bought.orderId)
  const orderNumbers: Record<WithdrawalKind, string> = {
    'with the link': bought.orderId,
    // Without a mail yet: the beginning of the id, as the page shows it.
    'by number': number ? `Order no. ${number}` : bought.orderId.slice(0, 8),
    'with a wrong number': unknownNumber,
  }
  const { customerEmail: email, customerName: name } = getDetails(visitor)
  const wrongNumbers = history.withdrawals.filter((one) => one.orderId === undefined).length
  const { withdraws: wanted } = visitor
  const isTooMuch = wanted === 'with a wrong number' && wrongNumbers >= maxWrongNumbers
  const kind = isTooMuch ? 'by number' : wanted
  const orderId = kind === 'with a wrong number' ? undefined : bought.orderId
  const statement: StatedWithdrawal = { name, orderId, sent: 0, isAnswered: false }
  history.withdrawals.push(statement)
  while (!statement.isAnswered && statement.sent < maxTries) {
    statement.sent += 1
    const orderNumber = orderNumbers[kind]
    const answer = await browser.withdraw({ name, email, orderNumber })
    statement.isAnswered = answer?.status === 202
    if (!statement.isAnswered) await delay(random.between(200, 900))
  }
}
