import type { Db } from '#server/db/database.ts'
import { describeError } from '#server/describe-error.ts'
import type { Log } from '#server/http/log.ts'
import { repeat } from '#server/repeat.ts'
import type { Sumup } from '#server/sumup/client.ts'
import { compareIfDue } from './compare.ts'
import { claimDue, closeUnused, expediteOtherAccounts, type ReadCheckout } from './ledger.ts'
import { applyEvent, settle, shareSettling, type CheckoutDeps } from './settle.ts'

const sweepEveryMs = 1_000
/** Each node checks whether the comparison is due; only one runs it. */
const compareEveryMs = 10 * 60 * 1000
/** Soon after a start, because a restored backup lacks the latest payments. */
const firstComparisonMs = 60 * 1000

export type Sales = ReturnType<typeof openSales>

/** Settling for browsers and webhooks, and the background jobs: the sweep and the comparison with SumUp. */
export function openSales({
  db,
  createClient,
  log,
  secret,
  maxParallel,
}: {
  db: Db
  createClient: () => Sumup
  log: Log
  secret: string
  maxParallel: number
}) {
  const createDeps = () => ({ db, sumup: createClient(), log, secret })
  const forSweep = createDeps()
  const forComparison = createDeps()
  const sweeping = repeat(() => sweep(forSweep, maxParallel), sweepEveryMs, log, 'The sweep')
  const comparing = repeat(
    () => compareIfDue(forComparison),
    compareEveryMs,
    log,
    'The comparison with SumUp',
    firstComparisonMs,
  )
  const { merchantCode, isTest } = forSweep.sumup
  expediteOtherAccounts(db, merchantCode, isTest()).catch((error: unknown) =>
    log.warn({ err: error }, 'Sales of another account could not be made due'),
  )
  return {
    settleShared: shareSettling(createDeps()),
    /** The order is sent to the browser. */
    settleForOrder: shareSettling({ ...createDeps(), isForBuyer: true }),
    /** With a client of its own, so that browsers and webhooks do not wait for each other. */
    settleFromWebhook: shareSettling(createDeps()),
    async close() {
      await Promise.all([sweeping.stop(), comparing.stop()])
    },
  }
}

/** Bounds one round of the sweep. */
const maxPerRound = 2_000

/**
 * Settles every sale that is due, by priority, so that none depends on a browser or a webhook. While SumUp is
 * unavailable, a single trial is made. Returns the number of sales.
 */
export async function sweep(deps: CheckoutDeps, maxParallel = 40): Promise<number> {
  await closeUnused(deps.db)
  let settled = 0
  while (settled < maxPerRound && !deps.sumup.isOpen()) {
    const limit = deps.sumup.isOnTrial() ? 1 : maxParallel
    const due = await claimDue(deps.db, limit)
    await Promise.all(due.map((read) => settleDue(deps, read)))
    settled += due.length
    if (due.length < limit) break
  }
  return settled
}

/** An unexpected error must not stop the others; the sale is tried again later. */
async function settleDue(deps: CheckoutDeps, read: ReadCheckout): Promise<void> {
  try {
    await settle(deps, read)
  } catch (error) {
    const why = describeError(error).message
    deps.log.warn(
      { err: error, checkout: read.row.id },
      'A sale could not be settled; it will be tried again',
    )
    await applyEvent(deps, read, { type: 'unreachable', why }).catch(() => undefined)
  }
}
