import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { StartReport } from '#server/testing/killable-database.ts'

const program = join(import.meta.dirname, '..', 'server', 'testing', 'killable-database.ts')

/** The shop's own PostgreSQL, waiting for the disk as in life, kept by a process that ends when we do. */
export async function startDatabase(folder: string) {
  const keeper = fork(program, [folder], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(keeper, 'exit')
  const early = ended.then(() => Promise.reject(new Error('the database did not start')))
  const [report] = (await Promise.race([once(keeper, 'message'), early])) as [StartReport]
  early.catch(() => {})
  if ('cannotStart' in report) throw new Error(report.cannotStart)
  return {
    connection: report.connection,
    async stop() {
      if (keeper.connected) keeper.disconnect()
      await ended
    },
  }
}
