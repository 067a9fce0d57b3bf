import { inBatches } from '#server/db/batches.ts'
import { findDatabaseCode, type Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { lockNotAvailable } from '#server/db/migrate.ts'

/** Must differ from all other advisory locks in this database. */
const numberingLock = 7_411_014

/** Some at a time, so that no sale waits long: each is sorted into the search anew. */
const batchSize = 200

/**
 * Numbers the orders of earlier versions, from the newest back: the migration has left as many numbers as there were orders,
 * and has numbered the newest. Returns how many it has numbered. An order that somebody is changing ends the run, or it would
 * get its number out of turn; the next run goes on.
 */
export function numberOrders(db: Db): Promise<number> {
  return unlessLocked(inBatches((limit) => numberSome(db, limit), batchSize))
}

/** Numbers the newest order without a number, so that the one with the lowest number so far can be deleted. */
export function numberNext(db: Db): Promise<number> {
  return unlessLocked(numberSome(db, 1))
}

async function unlessLocked(numbering: Promise<number>): Promise<number> {
  try {
    return await numbering
  } catch (error) {
    if (findDatabaseCode(error) === lockNotAvailable) return 0
    throw error
  }
}

function numberSome(db: Db, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    // One node at a time: what is read below is what the one before has written.
    await tx.execute(sql`select pg_advisory_xact_lock(${numberingLock})`)
    const { rowCount } = await tx.execute(sql`
      with lowest as materialized (select min(number) as number from orders),
      next as materialized (
        select id, created_at from orders where number is null
        order by created_at desc, id desc limit ${limit} for update nowait),
      placed as (select id, row_number() over (order by created_at desc, id desc) as place from next)
      update orders set number = lowest.number - placed.place
      from placed, lowest where orders.id = placed.id and lowest.number is not null`)
    return rowCount ?? 0
  })
}
