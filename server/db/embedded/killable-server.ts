import { CannotStart } from '#server/cannot-start.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

/** For tests: a server that can be killed without killing the test. Its parent hears what became of its start. */
export type StartReport =
  | { connection: { host: string; port: number; user: string; database: string }; pid: number }
  | { cannotStart: string }

const [dataDir = ''] = process.argv.slice(2)

// Listening first: whoever started it may end while it starts.
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
