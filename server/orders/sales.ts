import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import type { Sumup } from '#server/payments/sumup.ts'
import { repeat } from '#server/repeat.ts'
import { compareWithHistory } from './compare-history.ts'
import { settleOnce } from './settle-once.ts'
import { sweep } from './sweep.ts'

const sweepEveryMs = 1_000
const compareEveryMs = 24 * 60 * 60 * 1000
/** Soon after a start too: a shop that is restarted every night would else never compare. */
const firstComparisonMs = 2 * 60 * 1000

export type Sales = ReturnType<typeof openSales>

/** Everything that turns payments into orders without being asked: the sweep, and the daily comparison of the books. */
export function openSales(db: Db, openLine: () => Sumup, log: Log) {
  const onOwnLine = () => ({ db, sumup: openLine(), log })
  const forSweep = onOwnLine()
  const forComparison = onOwnLine()
  const sweeping = repeat(() => sweep(forSweep), sweepEveryMs, log, 'The sweep')
  const comparing = repeat(
    () => compareWithHistory(forComparison),
    compareEveryMs,
    log,
    'The comparison with SumUp',
    firstComparisonMs,
  )
  return {
    settleOnce: settleOnce(onOwnLine()),
    sweepSoon: sweeping.soon,
    async close() {
      await Promise.all([sweeping.stop(), comparing.stop()])
    },
  }
}
