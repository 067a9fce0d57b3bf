import { chown, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'
import { socketName } from './settings.ts'
import type { UnprivilegedUser } from './unprivileged-user.ts'

/** The folder through which clients reach the cluster's socket: itself, or a short symlink to it. */
export async function openClientAddress(
  path: string,
  user: UnprivilegedUser | undefined,
): Promise<{ host: string; close(): Promise<void> }> {
  if (fitsSocket(path)) return { host: path, close: async () => {} }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'till-'))
    // Without /proc the server itself goes through this folder too.
    if (user) await chown(folder, user.uid, user.gid)
    const host = join(folder, 'db')
    await symlink(path, host)
    const close = () => rm(folder, { recursive: true, force: true })
    if (fitsSocket(host)) return { host, close }
    await close()
  } catch (cause) {
    throw tooLong(path, cause)
  }
  throw tooLong(path)
}

function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, socketName)) <= longestSocketPath
}

/** The kernel's limit, in bytes. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103

function tooLong(path: string, cause?: unknown): CannotStart {
  return new CannotStart(
    `The path ${path} is too long for PostgreSQL's socket, and ${tmpdir()} offers no way around. ` +
      'Set DATA_DIR to a folder with a shorter path.',
    { cause },
  )
}
