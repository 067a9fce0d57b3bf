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
export function openSales(db: Db, sumup: Sumup, log: Log) {
  const shop = { db, sumup, log }
  const sweeping = repeat(() => sweep(shop), sweepEveryMs, log, 'The sweep')
  const comparing = repeat(
    () => compareWithHistory(shop),
    compareEveryMs,
    log,
    'The comparison with SumUp',
    firstComparisonMs,
  )
  return {
    settleOnce: settleOnce(shop),
    sweepSoon: sweeping.soon,
    async close() {
      await Promise.all([sweeping.stop(), comparing.stop()])
    },
  }
}
