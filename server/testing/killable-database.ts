import { CannotStart } from '#server/cannot-start.ts'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#server/db/embedded/embedded-postgres.ts'

/** An embedded database in a process of its own, to be killed by a test. It reports its start to its parent. */
export type StartReport =
  | { connection: EmbeddedPostgres['connection']; pid: number }
  | { cannotStart: string }

const [dataDir = ''] = process.argv.slice(2)

// Registered first: the parent may end during the start.
const parentGone = new Promise<void>((resolve) => process.once('disconnect', resolve))
try {
  const database = await startEmbeddedPostgres({ dataDir })
  report({ connection: database.connection, pid: database.pid })
  await parentGone
  await database.stop()
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  report({ cannotStart: error.message })
  process.disconnect()
}

function report(outcome: StartReport): void {
  process.send?.(outcome)
}
