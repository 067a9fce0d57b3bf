import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import { repeat } from '#server/repeat.ts'
import type { Sumup } from '#server/sumup/client.ts'
import { compareIfDue } from './compare.ts'
import { expediteOtherAccounts } from './ledger.ts'
import { shareLooks } from './settle.ts'
import { sweep } from './sweep.ts'

const sweepEveryMs = 1_000
/** Each node asks whether the comparison is due; one of them does it. */
const compareEveryMs = 10 * 60 * 1000
/** Soon after a start: a restored backup has a gap. */
const firstComparisonMs = 60 * 1000

export type Sales = ReturnType<typeof openSales>

/** Everything that turns payments into orders without being asked: the sweep, and the comparison of the books. */
export function openSales({
  db,
  openLine,
  log,
  secret,
  parallelLooks,
}: {
  db: Db
  openLine: () => Sumup
  log: Log
  secret: string
  parallelLooks: number
}) {
  const onOwnLine = () => ({ db, sumup: openLine(), log, secret })
  const forSweep = onOwnLine()
  const forComparison = onOwnLine()
  const sweeping = repeat(() => sweep(forSweep, parallelLooks), sweepEveryMs, log, 'The sweep')
  const comparing = repeat(
    () => compareIfDue(forComparison),
    compareEveryMs,
    log,
    'The comparison with SumUp',
    firstComparisonMs,
  )
  expediteOtherAccounts(db, forSweep.sumup.merchantCode).catch((error: unknown) =>
    log.warn({ err: error }, 'Sales of another account could not be looked for'),
  )
  return {
    settleShared: shareLooks(onOwnLine()),
    /** A look whose order the browser is answered with. */
    settleForOrder: shareLooks({ ...onOwnLine(), isForBuyer: true }),
    /** A look that a webhook asked for, on a line of its own: it waits for nobody. */
    settleSoon: shareLooks(onOwnLine()),
    async close() {
      await Promise.all([sweeping.stop(), comparing.stop()])
    },
  }
}
