import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Written on the postmaster's command line, where everybody can read whose it is. Always its last argument. */
export function ownershipMark(path: string): string {
  return `till.data_dir=${path}`
}

/** The pid of the live postmaster of this data folder, whoever started it. */
export async function maybePostmaster(path: string): Promise<number | undefined> {
  const pid = await maybePidIn(join(path, 'postmaster.pid'))
  return pid !== undefined && (await isPostmasterOf(path, pid)) ? pid : undefined
}

/** A pid alone proves nothing: after a crash the number may have gone to anybody. */
export async function isPostmasterOf(path: string, pid: number): Promise<boolean> {
  return (await commandLineOf(pid)).endsWith(ownershipMark(path))
}

/** The first line of PostgreSQL's lock files. */
export async function maybePidIn(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : undefined
}

/** Empty for a process that is gone, or ended and not yet collected by its parent. */
async function commandLineOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return line.replace(/\0$/, '')
  }
  const ps = promisify(execFile)('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return (await ps.catch(() => ({ stdout: '' }))).stdout.trimEnd()
}
