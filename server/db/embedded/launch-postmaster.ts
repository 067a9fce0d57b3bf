import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Socket } from 'node:net'
import type { Cluster } from './cluster.ts'
import { enteredFolder } from './entered-folder.ts'
import { ownCluster } from './own-cluster.ts'
import { ownershipMark } from './running-postmaster.ts'
import { modestSettings, plainEnvironment } from './settings.ts'
import { removeStaleLockFiles } from './stale-lock-files.ts'

/** After a crash PostgreSQL replays its log before it is ready; with much to replay, that is minutes. */
export const longestRecoveryMs = 5 * 60_000
const recoveryIsWorthAWordMs = 3_000
const rememberedLines = 8
const lastWordsMs = 50

/** Starts PostgreSQL and waits until it is ready, or is no more: then its last words are the answer. */
export async function launchPostmaster(cluster: Cluster): Promise<{ lastWords?: string }> {
  await ownCluster(cluster.path, cluster.user)
  await removeStaleLockFiles(cluster.path)
  const postmaster = spawn(
    join(cluster.binaries.native, 'bin', 'postgres'),
    argumentsFor(cluster),
    {
      cwd: cluster.path,
      env: plainEnvironment,
      // Its own process group: Ctrl+C in the terminal is ours to answer, after the last order is written.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...cluster.user,
    },
  )
  // A start that is refused leaves PostgreSQL to the server that won, and must be free to exit.
  postmaster.unref()
  ;(postmaster.stderr as Socket).unref()

  const lastLines: string[] = []
  const { promise, resolve } = Promise.withResolvers<{ lastWords?: string }>()
  const lines = createInterface(postmaster.stderr).on('line', (line) => {
    cluster.log(line)
    lastLines.push(line)
    if (lastLines.length > rememberedLines) lastLines.shift()
    if (line.includes('database system is ready to accept connections')) resolve({})
  })
  postmaster.once('error', (error) => resolve({ lastWords: error.message }))
  lines.once('close', () => resolve({ lastWords: lastLines.join('\n') }))
  // A dying postmaster's children may keep the pipe open longer than it lives.
  postmaster.once('exit', () => {
    setTimeout(() => resolve({ lastWords: lastLines.join('\n') }), lastWordsMs).unref()
  })

  const patient = setTimeout(() => {
    cluster.say('The database was not shut down properly and is recovering…')
  }, recoveryIsWorthAWordMs)
  const patienceEnds = setTimeout(() => resolve({}), longestRecoveryMs)
  const outcome = await promise
  clearTimeout(patient)
  clearTimeout(patienceEnds)
  return outcome
}

function argumentsFor({ path, host, settings }: Cluster): string[] {
  const entered = enteredFolder(path)
  const all = {
    ...modestSettings,
    unix_socket_directories: entered === path ? host : entered,
    ...settings,
  }
  const pairs = Object.entries(all).map(([name, value]) => `${name}=${value}`)
  return ['-D', entered, ...[...pairs, ownershipMark(path)].flatMap((pair) => ['-c', pair])]
}
