import type { Books } from './check-history.ts'
import type { History, Statement } from './history.ts'

/** An attempt to pay, as the provider's books have it in the end, times in milliseconds. */
export type Attempt = {
  id: string
  checkoutId: string
  status: string
  createdAt: number
  changedAt: number
}

/** From how many declined cards on the shop may say that there were too many. */
const fewestDeclines = 5

/** Sentences that buyers read and that the provider's books refute. */
export function findUntrue(history: History, books: Books): string[] {
  const attempts = Map.groupBy(books.attempts, ({ checkoutId }) => checkoutId)
  return history.statements
    .filter((told) => !isTrue(told, attempts.get(told.checkoutId) ?? [], history, books))
    .map(
      ({ visitor, claim, checkoutId, orderId }) =>
        `visitor ${visitor}: ${claim} of ${orderId ?? checkoutId}`,
    )
}

function isTrue(told: Statement, attempts: Attempt[], history: History, books: Books): boolean {
  switch (told.claim) {
    case 'paid':
      return books.orders.some(({ id, sumupCheckoutId }) =>
        told.orderId ? id === told.orderId : sumupCheckoutId === told.checkoutId,
      )
    case 'declined':
      return isUncharged(told, attempts) && attempts.some(({ status }) => status === 'FAILED')
    case 'closed':
      return isUncharged(told, attempts)
    case 'at-bank':
      return told.checkoutId === '' || attempts.some(({ createdAt }) => createdAt <= told.toldAt)
    case 'review':
      return isInSight(told, attempts, books)
    case 'too-many-cards':
      return countDeclines(told, history, books) >= fewestDeclines
  }
}

/** Nothing that had been sent to the bank by then was taken, or still could be. */
function isUncharged({ askedAt, toldAt }: Statement, attempts: Attempt[]): boolean {
  return !attempts.some(
    (one) => one.createdAt <= askedAt && (isCharged(one) || isOpen(one, toldAt)),
  )
}

function isInSight({ checkoutId }: Statement, attempts: Attempt[], { ledger }: Books): boolean {
  const row = ledger.find(({ sumupCheckoutId }) => sumupCheckoutId === checkoutId)
  return row === undefined || row.state !== 'closed' || !attempts.some(isCharged)
}

function countDeclines({ visitor, toldAt }: Statement, { offers }: History, books: Books): number {
  const forms = new Set(
    offers.filter((offer) => offer.visitor === visitor).map(({ checkoutId }) => checkoutId),
  )
  return books.attempts.filter(
    ({ checkoutId, status, createdAt }) =>
      forms.has(checkoutId) && status === 'FAILED' && createdAt <= toldAt,
  ).length
}

/** Forms that a browser was given while a card of an earlier one was at the bank or had been charged. */
export function findSecondForms({ offers }: History, { attempts }: Books): string[] {
  const sent = Map.groupBy(attempts, ({ checkoutId }) => checkoutId)
  const honest = offers.filter(({ isAttack }) => !isAttack)
  const formsOf = Map.groupBy(honest, ({ visitor }) => visitor)
  return honest.flatMap(({ visitor, checkoutId, askedAt, toldAt }) =>
    (formsOf.get(visitor) ?? [])
      .filter((earlier) => earlier.checkoutId !== checkoutId && earlier.toldAt < askedAt)
      .filter((earlier) =>
        (sent.get(earlier.checkoutId) ?? []).some(
          (one) => one.createdAt < askedAt && (isCharged(one) || isOpen(one, toldAt)),
        ),
      )
      .map((earlier) => `visitor ${visitor}: ${checkoutId} beside ${earlier.checkoutId}`),
  )
}

/** Money was taken, whether or not it was given back since. */
export function isCharged({ status }: Pick<Attempt, 'status'>): boolean {
  return status === 'SUCCESSFUL' || status === 'REFUNDED'
}

function isOpen({ status, changedAt }: Attempt, at: number): boolean {
  return status === 'PENDING' || changedAt > at
}
