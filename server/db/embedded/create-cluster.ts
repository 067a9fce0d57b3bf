import { spawn } from 'node:child_process'
import { chown, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CannotStart } from '#server/cannot-start.ts'
import type { Binaries } from './binaries.ts'
import { enteredFolder } from './entered-folder.ts'
import { unfinishedPrefix, unfinishedHere } from './leftovers.ts'
import { plainReason } from './plain-reason.ts'
import { databaseUser, plainEnvironment } from './settings.ts'
import type { UnprivilegedUser } from './unprivileged-user.ts'

type Order = { path: string; binaries: Binaries; user: UnprivilegedUser | undefined; sync: boolean }

/** Made beside its place and then renamed into it: a kill in the middle never leaves half a cluster. */
export async function createCluster(order: Order): Promise<void> {
  const unfinished = await mkdtemp(unfinishedPrefix(order.path))
  unfinishedHere.add(unfinished)
  try {
    if (order.user) await chown(unfinished, order.user.uid, order.user.gid)
    await initialize(unfinished, order)
    await rename(unfinished, order.path).catch((error: NodeJS.ErrnoException) => {
      // Another start was quicker; its cluster is as good as ours.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
    if (order.sync) await syncFolder(dirname(order.path))
  } finally {
    await rm(unfinished, { recursive: true, force: true })
    unfinishedHere.delete(unfinished)
  }
}

async function initialize(folder: string, { path, binaries, user, sync }: Order): Promise<void> {
  const initdb = spawn(
    join(binaries.native, 'bin', 'initdb'),
    [
      `--pgdata=${enteredFolder(folder)}`,
      `--username=${databaseUser}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      // Sorts alike on every machine and knows letters beyond ASCII, whatever locales are installed.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(sync ? [] : ['--no-sync']),
    ],
    { cwd: folder, env: plainEnvironment, stdio: ['ignore', 'ignore', 'pipe'], ...user },
  )
  const ended = new Promise<void>((resolve, reject) => {
    initdb.once('error', reject).once('exit', () => resolve())
  })
  const [complaint] = await Promise.all([text(initdb.stderr), ended])
  if (initdb.exitCode === 0) return
  const reason = plainReason(complaint.trim() || `initdb ended by ${initdb.signalCode}`)
  throw new CannotStart(`The database could not be made in ${path}: ${reason}.`)
}

/** The new name must outlive a power cut as well as the files behind it do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}
