import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { deadlockDetected, lockNotAvailable, lockTimeoutMs, withoutTimeout } from './migrate.ts'

/** Must differ from all other advisory locks in this database. */
const carryOverLock = 7_411_013

/** More than a minute, with the pauses in between. */
const maxAttempts = 100
const pauseMs = 200

/**
 * Carries over what nodes of the release before wrote about payments (migration 0022), one node at a time. Like a migration it
 * gives way to sales that run. Returns how many rows it wrote. To be removed with the columns that it reads, in the release
 * after.
 */
export async function carryOverPayments(pool: Pool): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryCarryOver(pool)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      const isInTheWay = code === lockNotAvailable || code === deadlockDetected
      if (!isInTheWay || attempt >= maxAttempts) throw error
      await delay(pauseMs)
    }
  }
}

async function tryCarryOver(pool: Pool): Promise<number> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `set local statement_timeout = 0; set local lock_timeout = ${lockTimeoutMs};
      select pg_advisory_xact_lock(${carryOverLock})`,
    )
    const { rows } = await client.query(withoutTimeout('select carry_over_payments() as rows'))
    await client.query('commit')
    return rows[0].rows
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}
