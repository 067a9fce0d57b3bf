import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Db } from '#server/db/database.ts'
import { findRestored } from '#server/db/restored.ts'
import { describeError } from '#server/describe-error.ts'
import type { Log } from '#server/log.ts'
import type { Loaded, RecordWithSale } from '#server/payments/record.ts'
import { readPayment } from '#server/payments/flow.ts'
import { decideReading } from '#server/payments/reconcile.ts'
import { repeat } from '#server/repeat.ts'
import type { Connection, Payments } from '#server/sumup/payments.ts'
import { compareIfDue } from './compare.ts'
import { claimDue, claimDuePayments, closeUnused, expediteOtherAccounts } from './ledger.ts'
import {
  changeSaleNow,
  contextOf,
  runFlow,
  settle,
  shareSettling,
  type CheckoutDeps,
} from './settle.ts'

const sweepEveryMs = 1_000
/** Each node looks this often whether the comparison is due; only one runs it. */
const compareEveryMs = 60 * 1000

export type Sales = ReturnType<typeof openSales>

/** Settling for browsers and webhooks, and the background jobs: the sweep and the comparison with SumUp. */
export function openSales({
  db,
  payments,
  productCache,
  log,
  secret,
  maxParallel,
}: {
  db: Db
  productCache: ProductCache
  payments: Pick<Payments, 'pin' | 'follow' | 'onChange'>
  log: Log
  secret: string
  maxParallel: number
}) {
  /** Deps with a client of their own for each account. One piece of work takes them once. */
  const createPinning = (more: Pick<CheckoutDeps, 'isForBuyer'> = {}) =>
    pinDeps(payments, (connection) => ({
      db,
      sumup: connection.createClient(),
      productCache,
      log,
      secret,
      ...more,
    }))
  const forSweep = createPinning()
  const forComparison = createPinning()
  const sweeping = repeat(() => sweep(forSweep(), maxParallel), sweepEveryMs, log, 'The sweep')
  const comparing = repeat(
    () => compareIfDue(forComparison()),
    compareEveryMs,
    log,
    'The comparison with SumUp',
  )
  // A restored backup lacks the latest payments, so nothing is waited for.
  findRestored(db).then(
    (restored) => restored?.comparedAt === null && comparing.runNow(),
    (error: unknown) => log.warn({ err: error }, 'Whether a backup was restored is not known'),
  )

  function expedite(): void {
    const { merchantCode, findMode } = payments.pin().sumup
    expediteOtherAccounts(db, merchantCode, findMode()).catch((error: unknown) =>
      log.warn({ err: error }, 'Sales of another account could not be made due'),
    )
  }
  expedite()
  payments.onChange(expedite)

  return {
    settleShared: shareSettling(createPinning()),
    /** The order is sent to the browser. */
    settleForOrder: shareSettling(createPinning({ isForBuyer: true })),
    /** With a client of its own, so that browsers and webhooks do not wait for each other. */
    settleFromWebhook: shareSettling(createPinning()),
    async close() {
      await Promise.all([sweeping.stop(), comparing.stop()])
    },
  }
}

/** The deps of the account in use now, created once for each account. */
export function pinDeps<Deps extends CheckoutDeps>(
  payments: Pick<Payments, 'pin' | 'follow'>,
  create: (connection: Connection) => Deps,
): () => Deps & { renew: () => Promise<Deps> } {
  const known = new WeakMap<Connection, Deps & { renew: () => Promise<Deps> }>()
  function pin() {
    const connection = payments.pin()
    const deps = known.get(connection) ?? Object.assign(create(connection), { renew })
    known.set(connection, deps)
    return deps
  }
  async function renew(): Promise<Deps> {
    await payments.follow()
    return pin()
  }
  return pin
}

/** Bounds one round of the sweep. */
const maxPerRound = 2_000

/**
 * Settles every sale that is due, by priority, so that none depends on a browser or a webhook, and reads payments that are
 * due by themselves. While SumUp is unavailable, a single trial is made. Returns the number of sales.
 */
export async function sweep(deps: CheckoutDeps, maxParallel = 40): Promise<number> {
  await closeUnused(deps.db)
  let settled = 0
  while (settled < maxPerRound && !deps.sumup.isOpen()) {
    const limit = deps.sumup.isOnTrial() ? 1 : maxParallel
    const due = await claimDue(deps.db, limit)
    await Promise.all(due.map((loaded) => settleDue(deps, loaded)))
    settled += due.length
    if (due.length < limit) break
  }
  if (!deps.sumup.isOpen()) await followPayments(deps, maxParallel)
  return settled
}

/** An unexpected error must not stop the others; the sale is tried again later. */
async function settleDue(deps: CheckoutDeps, loaded: Loaded<RecordWithSale>): Promise<void> {
  const { sale } = loaded.record
  try {
    await settle(deps, loaded)
  } catch (error) {
    const why = describeError(error).message
    deps.log.warn(
      { err: error, checkout: sale.id },
      'A sale could not be settled; it will be tried again',
    )
    const reading = { checkout: { type: 'unreachable', why } as const, transactions: [] }
    await changeSaleNow(deps, loaded, ({ record, now }) =>
      decideReading(record, reading, now),
    ).catch(() => undefined)
  }
}

async function followPayments(deps: CheckoutDeps, maxParallel: number): Promise<void> {
  for (const { id, recordId } of await claimDuePayments(deps.db, maxParallel)) {
    await runFlow(deps, readPayment(contextOf(deps), recordId, id)).catch((error: unknown) =>
      deps.log.warn(
        { err: error, payment: id },
        'A payment could not be read; it will be tried again',
      ),
    )
  }
}
