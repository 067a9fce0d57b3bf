import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ago,
  attempt,
  caseOf,
  entryOf,
  missing,
  now,
  paymentOf,
  seen,
  transactionOf,
  unreachable,
} from '#server/testing/cases.ts'
import type { Case, SaleCase } from './case.ts'
import { readPayment, type Context } from './flow.ts'
import { notAsked } from './observe.ts'
import { decideDismissal } from './owner.ts'
import { decideReading, reconcile } from './reconcile.ts'
import { addMs, day, hour, maxPauseMs, minute, second } from './schedule.ts'

/** Every wait ends, and ends in front of the owner. */

const createId = (id: string) => `our-${id}`
const decide = (kase: Case, reading: Parameters<typeof decideReading>[1], at = now) =>
  decideReading(kase, reading, at, createId).after
const shown = ({ entries }: Case) =>
  entries.map(({ id, reason, state }) => `${id} ${reason} ${state}`)
const pauseMs = ({ sale }: Case, at: Date) =>
  sale?.nextCheckAt ? sale.nextCheckAt.getTime() - at.getTime() : null

/** An order that the owner made without a payment. */
const madeByHand = (reason: 'unreadable' | 'not-at-sumup', fields: Partial<SaleCase> = {}) =>
  caseOf({
    sale: { state: 'paid', nextCheckAt: now },
    entries: [entryOf(reason, { state: 'ordered' })],
    order: { id: 'order-1', transactionId: null },
    ...fields,
  })
const pendingFor = (ms: number) =>
  paymentOf('tx-b', { status: 'pending', foundAt: ago(ms), madeAt: ago(ms) })

test('a card at the bank that SumUp shows without an id is shown to the owner after a week', () => {
  const card = { ...attempt('x', 'PENDING'), id: undefined }
  const kase = caseOf({ sale: { startedAt: ago(6 * day) } })
  const reading = seen('PENDING', [card])
  assert.deepEqual(shown(decide(kase, reading)), [])
  assert.deepEqual(shown(decide(kase, reading, addMs(now, 2 * day))), ['sale-1 stuck open'])
})

test('a card at the bank beside an order made by hand is not asked about again once dismissed', () => {
  const kase = madeByHand('unreadable', { payments: [pendingFor(8 * day)] })
  const reading = seen('PENDING', [attempt('tx-b', 'PENDING')])
  const asked = decide(kase, reading)
  assert.deepEqual(shown(asked), ['sale-1 stuck open'])
  const [entry] = asked.entries
  assert.ok(entry)
  const later = addMs(now, hour)
  const dismissed = decideDismissal(asked, entry, 'x', 'me', later).after
  assert.deepEqual(shown(decide(dismissed, reading, addMs(now, day))), ['sale-1 stuck dismissed'])
  const paid = { ...notAsked, transactions: [transactionOf('tx-b')] }
  assert.equal(decideReading(dismissed, paid, later, createId).reassignOrderTo?.id, 'our-tx-b')
})

test('a card at the bank whose checkout SumUp does not find is shown to the owner too', () => {
  const kase = madeByHand('not-at-sumup', { payments: [pendingFor(8 * day)] })
  assert.deepEqual(shown(decide(kase, missing)), ['sale-1 stuck open'])
})

test('what SumUp cannot be asked about is looked at every minute, however long it lasts', () => {
  const entries = [entryOf('unreadable', { openedAt: ago(day), paymentId: 'our-tx-1' })]
  const known = { payments: [paymentOf('tx-1', { unreadSince: ago(day) })], entries }
  const kase = caseOf({ sale: { state: 'review', unreadSince: ago(day) }, ...known })
  assert.equal(pauseMs(decide(kase, unreachable), now), minute)
})

test('a contradiction that has just begun is looked at soon, however old the question is', () => {
  const entries = [entryOf('stuck', { openedAt: ago(3 * day) })]
  const kase = caseOf({ sale: { state: 'review' }, entries })
  const after = decide(kase, seen('PENDING', [attempt('tx-1')]))
  assert.match(shown(after).join(), /sale-1 contradiction open/)
  assert.equal(pauseMs(after, now), minute)
})

test('a payment without a sale that succeeds late is a new question, which is mailed', () => {
  const pending = { ...pendingFor(8 * day), saleId: null }
  const alone: Case = { ...caseOf(), sale: undefined, payments: [pending] }
  const asked = reconcile(alone, alone, notAsked, ago(hour)).after
  const paid = { ...asked, payments: [{ ...pending, status: 'successful' }] }
  assert.deepEqual(reconcile(asked, paid, notAsked, now).after.entries[0]?.openedAt, now)
})

test('the only payment of an order made by hand is no second payment, though its bank was slow', () => {
  const stuck = entryOf('stuck', { id: 'our-tx-b', paymentId: 'our-tx-b', state: 'dismissed' })
  const same = madeByHand('not-at-sumup', {
    entries: [entryOf('not-at-sumup', { state: 'dismissed' }), stuck],
    payments: [pendingFor(8 * day)],
  })
  const read = (amount: string) =>
    decideReading(
      same,
      { ...notAsked, transactions: [transactionOf('tx-b', { amount })] },
      now,
      createId,
    )
  assert.equal(read('49.00').reassignOrderTo?.id, 'our-tx-b')
  assert.doesNotMatch(shown(read('49.00').after).join(), /paid-twice/)
  assert.match(shown(read('40.00').after).join(), /our-tx-b mismatch open/)
})

test('a card that the history shows at the bank makes its closed sale due', () => {
  const kase = caseOf({ sale: { state: 'closed', nextCheckAt: null } })
  const found = { ...kase, payments: [pendingFor(minute)] }
  assert.deepEqual(reconcile(kase, found, notAsked, now).after.sale?.nextCheckAt, now)
})

test('a card found after the owner was told of another one is told of by itself', () => {
  const entries = [entryOf('stuck', { state: 'dismissed', handledAt: ago(9 * day) })]
  const sale = { state: 'dismissed', nextCheckAt: null }
  const kase = caseOf({ sale, entries, payments: [pendingFor(8 * day)] })
  assert.deepEqual(shown(reconcile(kase, kase, notAsked, now).after), [
    'sale-1 stuck dismissed',
    'our-tx-b stuck open',
  ])
})

test('what is announced about a decided sale is looked at again while SumUp cannot be asked', () => {
  const entries = [entryOf('lost-at-sumup', { state: 'dismissed' })]
  const kase = caseOf({ sale: { state: 'dismissed', nextCheckAt: ago(second) }, entries })
  const waiting = decide(kase, unreachable)
  assert.equal(pauseMs(waiting, now), maxPauseMs)
  assert.equal(decide(waiting, unreachable, addMs(now, 2 * day)).sale?.nextCheckAt, null)
})

test('a closed sale with details that cannot be read for an hour is shown to the owner', () => {
  const sale = { state: 'closed', nextCheckAt: ago(second) }
  const kase = caseOf({ sale: { ...sale, unreadSince: ago(hour) } })
  assert.deepEqual(shown(decide(kase, unreachable)), ['sale-1 unreadable open'])
})

test('a card at the bank of an account that the shop no longer uses is shown to the owner too', () => {
  const pending = { ...pendingFor(8 * day), saleId: null }
  const alone: Case = { ...caseOf(), sale: undefined, payments: [pending] }
  const context: Context = { isOwn: () => false, createId }
  const flow = readPayment(context, pending.id, pending.id)
  flow.next()
  const { value: step } = flow.next({ kase: alone, now } as never)
  assert.ok(step && 'type' in step && step.type === 'write', 'nobody is asked')
  assert.deepEqual(shown(step.decision.after), ['our-tx-b stuck open'])
})
