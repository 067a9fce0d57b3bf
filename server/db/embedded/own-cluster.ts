import { chmod, lchown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'
import { plainReason } from './plain-reason.ts'
import type { UnprivilegedUser } from './unprivileged-user.ts'

/** PostgreSQL insists that its folder is its user's own and closed to others; a restored copy often is neither. */
export async function ownCluster(path: string, user: UnprivilegedUser | undefined): Promise<void> {
  try {
    await own(path, user)
  } catch (cause) {
    throw new CannotStart(`The database folder ${path} cannot be used: ${plainReason(cause)}.`, {
      cause,
    })
  }
}

async function own(path: string, user: UnprivilegedUser | undefined): Promise<void> {
  const folder = await lstat(path)
  const sample = await lstat(join(path, 'PG_VERSION'))
  if (user && (folder.uid !== user.uid || sample.uid !== user.uid)) {
    for (const name of await readdir(path, { recursive: true })) {
      await lchown(join(path, name), user.uid, user.gid)
    }
    // The folder last: if we are killed before, the next start sees that there is work left.
    await lchown(path, user.uid, user.gid)
  }
  if ((folder.mode & 0o077) !== 0) await chmod(path, 0o700)
}
