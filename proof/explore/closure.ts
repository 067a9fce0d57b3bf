import { checkEnded, checkKnown } from './books.ts'
import { checkWorld } from './invariants.ts'
import { continueRun, listDuePayments, listDueSales } from './moves.ts'
import { isTaken, transactionsOf, withTransaction, type Transaction } from './sumup.ts'
import { begin, type Run, type Task } from './tasks.ts'
import { closeUnused, day, hour, minute, passTime, second, type World } from './world.ts'

/**
 * What a world comes to once nobody acts any more: SumUp is honest, time passes, the sweep and the comparison run. What
 * cannot be read stays so for nine days, then SumUp can be read again.
 */

const broken = [
  16 * second,
  40 * second,
  61 * second,
  6 * minute,
  16 * minute,
  31 * minute,
  65 * minute,
  day,
  8 * day,
]
const healed = [minute, 16 * minute, 7 * hour, 8 * day]

type Ended = { world: World; violation?: string | undefined }

/** Cards at the bank and refunds in progress may end in more than one way. */
const endings = ['approve', 'decline', 'stay'] as const

export function checkClosure(start: World): string | undefined {
  const still: World = { ...start, runs: [], screens: {}, left: {}, before: undefined }
  const isUndecided = ({ status, asked }: Transaction) =>
    status === 'PENDING' || asked.some(({ state }) => state === 'pending' || state === 'late')
  const ways = still.sumup.transactions.some(isUndecided) ? endings : (['stay'] as const)
  for (const way of ways) {
    const violation = runOut(decideOpen(still, way))
    if (violation)
      return `${violation} (once all is quiet${ways.length > 1 ? `, cards ${way}` : ''})`
  }
  return undefined
}

function decideOpen(world: World, way: (typeof endings)[number]): World {
  if (way === 'stay') return world
  const isDone = way === 'approve'
  return world.sumup.transactions.reduce((known, { id }) => {
    const change = (one: Transaction): Transaction => {
      const open = one.asked.filter(({ state }) => state === 'pending' || state === 'late')
      const cents = open.reduce((sum, asked) => sum + asked.cents, 0)
      return {
        ...one,
        status: one.status === 'PENDING' ? (isDone ? 'SUCCESSFUL' : 'FAILED') : one.status,
        refunded: one.refunded + (isDone ? cents : 0),
        failedRefunds: one.failedRefunds + (isDone ? 0 : open.length),
        asked: one.asked.map((asked) =>
          open.includes(asked) ? { ...asked, state: isDone ? 'done' : 'failed' } : asked,
        ),
      }
    }
    return { ...known, sumup: withTransaction(known.sumup, id, change, known.now) }
  }, world)
}

function runOut(start: World): string | undefined {
  const first = pass(start, broken)
  const early = first.violation ?? checkFinal(first.world)
  if (early || Object.keys(start.sumup.broken).length === 0) return early
  const { world } = first
  const last = pass({ ...world, sumup: { ...world.sumup, broken: {} } }, healed)
  return last.violation ?? checkFinal(last.world)
}

function pass(start: World, timesMs: number[]): Ended {
  let world = start
  for (const ms of timesMs) {
    world = closeUnused(passTime(world, ms))
    const due: Task[] = [
      ...listDueSales(world).map((saleId): Task => ({ kind: 'sweep', saleId })),
      ...listDuePayments(world).map((one): Task => ({ kind: 'follow', ...one })),
      ...(ms >= minute ? [{ kind: 'compare' } as const] : []),
    ]
    for (const task of due) {
      const ended = runHonestly(world, task)
      if (ended.violation) return ended
      ;({ world } = ended)
    }
    const violation = checkHolds(world, ms)
    if (violation) return { world, violation }
  }
  return { world }
}

/** What no card is shown for is free again minutes after Pay now; a card at the bank holds for an hour. */
function checkHolds({ records, sumup, merchantCode }: World, passedMs: number): string | undefined {
  if (Object.keys(sumup.broken).length > 0) return undefined
  for (const { sale } of Object.values(records)) {
    if (!sale?.heldAt || sale.state !== 'submitted' || sale.merchantCode !== merchantCode) continue
    const cards = transactionsOf(sumup, sale.sumupCheckoutId ?? '')
    const isAtBank = cards.some(({ status }) => status === 'PENDING')
    if (passedMs >= (isAtBank ? 65 : 6) * minute) return 'a sale holds its piece for ever'
  }
  return undefined
}

/** Work without anything between its steps, while SumUp is honest. */
export function runHonestly(start: World, task: Task): Ended {
  const begun = begin(task, start.merchantCode)
  let world: World = 'run' in begun ? { ...start, runs: [begun.run] } : start
  for (let run: Run | undefined = world.runs[0]; run; run = world.runs[0]) {
    const [honest] = continueRun(world, run)
    if (!honest) break
    const violation = honest.violation ?? checkWorld(honest.world)
    if (violation) return { world, violation }
    ;({ world } = honest)
  }
  return { world }
}

function checkFinal(world: World): string | undefined {
  const { sumup, records } = world
  for (const record of Object.values(records)) {
    const violation = checkEnded(world, record)
    if (violation) return violation
  }
  for (const one of sumup.transactions) {
    const violation = checkKnown(world, one)
    if (violation) return violation
  }
  const unseen = Object.values(records).filter(
    ({ sale, order }) => order && sale?.thankedAt === null,
  )
  const charged = unseen.filter(({ sale }) =>
    transactionsOf(sumup, sale?.sumupCheckoutId ?? '').some(isTaken),
  )
  return charged.length > 1 ? 'the buyer was charged twice, and nobody is told' : undefined
}
