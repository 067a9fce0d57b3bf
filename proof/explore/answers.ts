import { toCents } from '#contract/money.ts'
import type { Sale } from '#server/payments/record.ts'
import type { Ask } from '#server/payments/flow.ts'
import {
  endCheckout,
  isOver,
  showCheckout,
  showHistory,
  showTransaction,
  transactionsOf,
  withTransaction,
  type AskedRefund,
  type Sumup,
} from './sumup.ts'
import { addCheckout, changeSumup, lagMs, type World } from './world.ts'

/** One of the ways in which SumUp may answer. Odd ones are late, wrong or missing, and each world has only a few of them. */
export type SumupAnswer = {
  label: string
  answer: unknown
  world: World
  /** The answer was an error. */
  isBlind?: boolean
}

/**
 * `isPaused`: the work was stopped for long between reading our rows and asking. Decisions use the time of the former, so
 * what SumUp shows late or hides then is not told apart from what it says for good: not explored.
 */
export function listAnswers(world: World, request: Ask, isPaused: boolean): SumupAnswer[] {
  switch (request.call) {
    case 'checkout':
      return readCheckout(world, request.id, isPaused)
    case 'transaction':
      return readTransaction(world, request.transactionId)
    case 'deactivate':
      return deactivate(world, request.id)
    case 'refund':
      return refund(world, request.transactionId, toCents(request.amount))
    case 'reference':
      return findReference(world, request.reference)
  }
}

/** SumUp is asked for the checkout of a form; one that it has already, it answers again. */
export function listCreations(world: World, sale: Sale): SumupAnswer[] {
  const known = findByReference(world.sumup, sale.id)
  const unreachable = { type: 'unreachable', cause: 'down' }
  const after = known ? world : changeSumup(world, addCheckout(world.sumup, sale))
  const id = findByReference(after.sumup, sale.id)?.id ?? ''
  const checkout = showCheckout(after.sumup, id, world.now, { hidesPending: false })
  return [
    { label: 'create', answer: { type: 'created', checkout }, world: after },
    ...odd(world, [
      { label: 'create, answer lost', answer: unreachable, world: after },
      { label: 'create failed', answer: unreachable },
    ]),
  ]
}

function findByReference({ checkouts }: Sumup, reference: string) {
  return checkouts.find((one) => one.reference === reference)
}

function findReference(world: World, reference: string): SumupAnswer[] {
  const known = findByReference(world.sumup, reference)
  const isLost = known && world.sumup.broken[known.id] !== undefined
  if (isLost)
    return [{ label: 'does not find it', answer: { found: undefined }, world, isBlind: true }]
  const found = known && showCheckout(world.sumup, known.id, world.now, { hidesPending: false })
  return [
    { label: 'finds by reference', answer: { found }, world },
    ...odd(world, [
      {
        label: 'reference unreachable',
        answer: { type: 'unreachable', why: 'down' },
        isBlind: true,
      },
    ]),
  ]
}

export function listHistories(world: World, merchantCode: string): SumupAnswer[] {
  const lagging = laggingSumup(world)
  const history = showHistory(world.sumup, merchantCode)
  const late = lagging && showHistory(lagging, merchantCode)
  const isOther = late && !isSame(late, history)
  return [
    { label: 'history', answer: history, world },
    ...odd(world, isOther ? [{ label: 'history, late', answer: late }] : []),
  ]
}

/** Whether cards of an address were declined too often. */
export function listDeclineCounts(world: World): SumupAnswer[] {
  return [
    { label: 'few declines', answer: false, world },
    ...odd(world, [{ label: 'many declines', answer: true }]),
  ]
}

/** What a read may still show. */
function laggingSumup({ before, changedAt, now }: World): Sumup | undefined {
  return now - changedAt < lagMs ? before : undefined
}

/** Odd answers cost one of those that are left. */
function odd(
  world: World,
  answers: (Omit<SumupAnswer, 'world'> & { world?: World })[],
): SumupAnswer[] {
  const left = world.left.odd ?? 0
  if (left === 0) return []
  return answers.map((one) => {
    const after = one.world ?? world
    return { ...one, world: { ...after, left: { ...after.left, odd: left - 1 } } }
  })
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function readCheckout(world: World, id: string, isPaused: boolean): SumupAnswer[] {
  const { sumup, now } = world
  const unreachable = { type: 'unreachable', why: 'down' }
  const failing = { label: 'checkout unreachable', answer: unreachable, isBlind: true }
  const fault = sumup.broken[id]
  if (fault === 'missing')
    return [{ label: 'checkout missing', answer: { type: 'missing' }, isBlind: true, world }]
  if (fault) return [{ ...failing, world }]
  const show = (from: Sumup, hidesPending = false) => {
    const checkout = showCheckout(from, id, now, { hidesPending })
    return checkout ? { type: 'seen', checkout } : { type: 'missing' }
  }
  const lagging = laggingSumup(world)
  const isLate = lagging && !isSame(show(lagging), show(sumup))
  const checkout = sumup.checkouts.find((one) => one.id === id)
  const isJustOver =
    !isPaused && checkout && isOver(checkout, now) && now - checkout.validUntil < lagMs
  const hasPending = transactionsOf(sumup, id).some(({ status }) => status === 'PENDING')
  return [
    { label: 'reads checkout', answer: show(sumup), world },
    ...odd(world, [
      failing,
      ...(isLate ? [{ label: 'reads checkout, late', answer: show(lagging) }] : []),
      ...(isJustOver && hasPending
        ? [{ label: 'reads EXPIRED hiding PENDING', answer: show(sumup, true) }]
        : []),
    ]),
  ]
}

function readTransaction(world: World, id: string): SumupAnswer[] {
  const failing = { label: 'transaction unreadable', answer: 'unread', isBlind: true }
  const fault = world.sumup.broken[id]
  if (fault === 'missing' || fault === 'forbidden')
    return [{ label: `${id} ${fault}`, answer: fault, isBlind: true, world }]
  if (fault) return [{ ...failing, world }]
  const shown = showTransaction(world.sumup, id)
  const lagging = laggingSumup(world)
  const late = lagging && showTransaction(lagging, id)
  const isLate = late !== undefined && late !== 'missing' && !isSame(late, shown)
  return [
    { label: `reads ${id}`, answer: shown, world },
    ...odd(world, [failing, ...(isLate ? [{ label: `reads ${id}, late`, answer: late }] : [])]),
  ]
}

function deactivate(world: World, id: string): SumupAnswer[] {
  const ended = changeSumup(world, endCheckout(world.sumup, id))
  return [
    { label: 'DELETE', answer: 'answered', world: ended },
    ...odd(world, [
      { label: 'DELETE answered, nothing ended', answer: 'answered' },
      { label: 'DELETE without answer', answer: 'unreachable', world: ended },
    ]),
  ]
}

/** SumUp refuses what is more than it still has; a request that is under way it does not know yet. */
function refund(world: World, id: string, cents: number): SumupAnswer[] {
  const { sumup, now } = world
  const one = sumup.transactions.find((other) => other.id === id)
  const pending = one?.asked.filter(({ state }) => state === 'pending') ?? []
  const promised = pending.reduce((sum, asked) => sum + asked.cents, 0)
  const isRefused = !one || one.refunded + promised + cents > one.cents
  if (isRefused)
    return [{ label: 'refund refused', answer: { type: 'refused', problem: 'too much' }, world }]
  const after = (state: AskedRefund['state']) =>
    changeSumup(
      world,
      withTransaction(sumup, id, (known) => askRefund(known, { cents, state, at: now }), now),
    )
  const accepted = { type: 'accepted' }
  return [
    { label: 'refund done', answer: accepted, world: after('done') },
    ...odd(world, [
      { label: 'refund 2xx but failed', answer: accepted, world: after('failed') },
      { label: 'refund 2xx, pending', answer: accepted, world: after('pending') },
      { label: 'refund done, answer lost', answer: { type: 'unknown' }, world: after('done') },
      { label: 'refund late, answer lost', answer: { type: 'unknown' }, world: after('late') },
      { label: 'refund refused', answer: { type: 'refused', problem: 'no' } },
    ]),
  ]
}

function askRefund<Of extends { asked: AskedRefund[]; refunded: number; failedRefunds: number }>(
  one: Of,
  asked: AskedRefund,
): Of {
  return {
    ...one,
    asked: [...one.asked, asked],
    refunded: one.refunded + (asked.state === 'done' ? asked.cents : 0),
    failedRefunds: one.failedRefunds + (asked.state === 'failed' ? 1 : 0),
  }
}

/** What SumUp still does by itself with refunds that it was asked for. */
export function listRefundEnds(world: World): { label: string; world: World }[] {
  const { sumup, now } = world
  return sumup.transactions.flatMap((one) =>
    one.asked.flatMap((asked, index) => {
      if (asked.state !== 'late' && asked.state !== 'pending') return []
      const end = (state: 'done' | 'failed', event: boolean) =>
        changeSumup(
          world,
          withTransaction(
            sumup,
            one.id,
            (known) => ({
              ...known,
              asked: known.asked.map((other, at) => (at === index ? { ...other, state } : other)),
              refunded: known.refunded + (state === 'done' ? asked.cents : 0),
              failedRefunds: known.failedRefunds + (event ? 1 : 0),
            }),
            now,
          ),
        )
      return [
        { label: `SumUp does the ${asked.state} refund of ${one.id}`, world: end('done', false) },
        ...(asked.state === 'pending'
          ? [{ label: `the pending refund of ${one.id} fails`, world: end('failed', true) }]
          : []),
      ]
    }),
  )
}
