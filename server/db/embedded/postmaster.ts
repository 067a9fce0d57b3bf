import { execFile, spawn } from 'node:child_process'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  childEnvironment,
  defaultSettings,
  socketName,
  workingFolderPath,
  type Cluster,
  type LogLevel,
} from './cluster.ts'
import { allowSettingPassword } from './credentials.ts'
import { fixPermissions } from './data-folder.ts'

/** On the postmaster's command line, where everybody can read whose it is. Always its last argument. */
function ownershipMark(path: string): string {
  return `till.data_dir=${path}`
}

/** The pid of the running postmaster of this data folder, whoever started it. */
export async function findPostmaster(path: string): Promise<number | undefined> {
  const pid = await findPid(join(path, 'postmaster.pid'))
  return pid !== undefined && (await isPostmasterOf(path, pid)) ? pid : undefined
}

/** A pid alone proves nothing: after a crash another process may have it. */
async function isPostmasterOf(path: string, pid: number): Promise<boolean> {
  return (await readCommandLine(pid)).endsWith(ownershipMark(path))
}

/** The first line of PostgreSQL's lock files. */
async function findPid(file: string): Promise<number | undefined> {
  const content = await readFile(file, 'utf8').catch(() => '')
  const pid = Number.parseInt(content, 10)
  return pid > 0 ? pid : undefined
}

/** Empty for a process that is gone, or is a zombie. */
async function readCommandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return line.replace(/\0$/, '')
  }
  const ps = promisify(execFile)('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return (await ps.catch(() => ({ stdout: '' }))).stdout.trimEnd()
}

/** After a crash PostgreSQL replays its log before it is ready; with much to replay, that takes minutes. */
export const maxRecoveryMs = 5 * 60_000
const sayRecoveringAfterMs = 3_000
const maxErrorLines = 8
const lastOutputMs = 50

/** Starts PostgreSQL and waits until it is ready. If it ends instead, the error is its last output. */
export async function launchPostmaster(cluster: Cluster): Promise<{ error?: string }> {
  await fixPermissions(cluster.path, cluster.user)
  await allowSettingPassword(cluster.path, cluster.user)
  await removeStaleLockFiles(cluster.path)
  const postmaster = spawn(
    join(cluster.binaries.native, 'bin', 'postgres'),
    listArguments(cluster),
    {
      cwd: cluster.path,
      env: childEnvironment,
      // Its own process group: Ctrl+C in the terminal is for us, and the database stops after the last order is written.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...cluster.user,
    },
  )
  cluster.onLaunch()
  // A start that is refused leaves PostgreSQL to the server that won, and must be free to exit.
  postmaster.unref()
  ;(postmaster.stderr as Socket).unref()

  let isRecovering = false
  let isLate = false
  const sayIfRecovering = () => {
    if (isRecovering && isLate)
      cluster.say('The database was not shut down properly and is recovering…')
  }
  const lastLines: string[] = []
  const { promise, resolve } = Promise.withResolvers<{ error?: string }>()
  const lines = createInterface(postmaster.stderr).on('line', (line) => {
    cluster.log(line, levelOf(line))
    lastLines.push(line)
    if (lastLines.length > maxErrorLines) lastLines.shift()
    if (line.includes('was not properly shut down')) {
      isRecovering = true
      sayIfRecovering()
    }
    if (line.includes('database system is ready to accept connections')) resolve({})
  })
  postmaster.once('error', (error) => resolve({ error: error.message }))
  lines.once('close', () => resolve({ error: lastLines.join('\n') }))
  // A dying postmaster's children may keep the pipe open longer than it lives.
  postmaster.once('exit', () => {
    setTimeout(() => resolve({ error: lastLines.join('\n') }), lastOutputMs).unref()
  })

  const late = setTimeout(() => {
    isLate = true
    sayIfRecovering()
  }, sayRecoveringAfterMs)
  const timeout = setTimeout(() => resolve({}), maxRecoveryMs)
  const outcome = await promise
  clearTimeout(late)
  clearTimeout(timeout)
  return outcome
}

/** Ends of single connections that belong to a start, a stop or a recovery. What caused those has lines of its own. */
const expectedEnds =
  /due to administrator command|the database system is (starting up|shutting down|in recovery mode|not yet accepting connections)/
/** A crash and the recovery from it, which PostgreSQL reports as LOG like its routine. */
const crashSigns =
  /was terminated by signal|terminating any other active server processes|was not properly shut down|aborting startup/

/**
 * PostgreSQL's severities are about a connection or itself, ours about the shop. An ERROR is the answer to a query and
 * quotes its values: the shop reports it, without them, where the query was made.
 */
export function levelOf(line: string): LogLevel {
  const [, severity = '', message = ''] =
    /^\[\d+\] (PANIC|FATAL|WARNING|LOG): {2}(.*)/.exec(line) ?? []
  if (severity === 'PANIC') return 'fatal'
  if (severity === 'FATAL') return expectedEnds.test(message) ? 'info' : 'error'
  if (severity === 'WARNING' || crashSigns.test(message)) return 'warn'
  return 'debug'
}

function listArguments({ path, host, settings }: Cluster): string[] {
  const folder = workingFolderPath(path)
  const all = {
    ...defaultSettings,
    unix_socket_directories: folder === path ? host : folder,
    ...settings,
  }
  const pairs = Object.entries(all).map(([name, value]) => `${name}=${value}`)
  return ['-D', folder, ...[...pairs, ownershipMark(path)].flatMap((pair) => ['-c', pair])]
}

/**
 * PostgreSQL respects a lock file as long as any process has its pid, even an unrelated one or a zombie. Removing
 * one is safe: PostgreSQL knows backends that outlive their postmaster by the memory they share, not by this file.
 */
async function removeStaleLockFiles(path: string): Promise<void> {
  for (const name of ['postmaster.pid', `${socketName}.lock`]) {
    const file = join(path, name)
    const content = await readFile(file, 'utf8').catch(() => undefined)
    if (content !== undefined && (await isStale(path, file))) await removeIfUnchanged(file, content)
  }
}

async function isStale(path: string, file: string): Promise<boolean> {
  const pid = await findPid(file)
  if (pid !== undefined) return !(await isPostmasterOf(path, pid))
  // Empty for an instant while it is written, and for ever after a power cut in that instant.
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > 1_000
}

/** Another start may have written its own file between our check and the removal: that one is put back. */
async function removeIfUnchanged(file: string, content: string): Promise<void> {
  const stalePath = `${file}.stale-${process.pid}`
  try {
    await rename(file, stalePath)
    if ((await readFile(stalePath, 'utf8')) !== content) await link(stalePath, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error
  } finally {
    await rm(stalePath, { force: true })
  }
}

/** Together well below the fifteen seconds a shop takes to end; what was not written is replayed at the next start. */
const fastShutdownMs = 4_000
const immediateShutdownMs = 1_500
const pollMs = 10

/** Only the owner of the database may call this. Works for our own child and for an adopted postmaster alike. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  // Fast: open transactions are rolled back, everything committed is written.
  if (await signalAndWait(cluster, pid, 'SIGINT', fastShutdownMs)) return
  cluster.log(
    'PostgreSQL did not shut down in time; stopping it at once. It will recover at the next start.',
    'warn',
  )
  if (await signalAndWait(cluster, pid, 'SIGQUIT', immediateShutdownMs)) return
  cluster.log(`PostgreSQL (pid ${pid}) does not stop; the next start will reuse it.`, 'error')
}

async function signalAndWait(
  { path }: Cluster,
  pid: number,
  signal: NodeJS.Signals,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  if (!(await isPostmasterOf(path, pid))) return true
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended between the check and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  while (await isPostmasterOf(path, pid)) {
    if (performance.now() > deadline) return false
    await sleep(pollMs)
  }
  return true
}
