import { mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'
import { majorVersion, type Binaries } from './binaries.ts'
import { createCluster } from './create-cluster.ts'
import { plainReason } from './plain-reason.ts'
import { removeLeftovers } from './leftovers.ts'
import type { UnprivilegedUser } from './unprivileged-user.ts'

/** The data folder's real path, holding a complete cluster of our PostgreSQL's major version. */
export async function prepareCluster(order: {
  dataDir: string
  binaries: Binaries
  user: UnprivilegedUser | undefined
  say: (line: string) => void
  sync: boolean
}): Promise<string> {
  const path = await clusterPath(order.dataDir)
  try {
    await removeLeftovers(path)
    if ((await maybeVersion(path)) === undefined) {
      await refuseStrangersFolder(path)
      order.say('Preparing the database…')
      await createCluster({ ...order, path })
    }
    await refuseOtherOwner(path)
    refuseOtherMajor(path, (await maybeVersion(path)) ?? '', order.binaries.version)
    return path
  } catch (cause) {
    if (cause instanceof CannotStart) throw cause
    throw new CannotStart(`The database folder ${path} cannot be used: ${plainReason(cause)}.`, {
      cause,
    })
  }
}

async function clusterPath(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir)
    const path = join(await realpath(dataDir), 'postgres')
    return await realpath(path).catch(() => path)
  } catch (cause) {
    throw new CannotStart(
      `The data folder ${resolve(dataDir)} cannot be used: ${plainReason(cause)}. ` +
        'Mend that, or set DATA_DIR to another folder.',
      { cause },
    )
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    // Node says ENOENT where a disk is read-only; asked for the last step alone, it tells the truth.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') await mkdir(folder)
    throw error
  }
}

async function maybeVersion(path: string): Promise<string | undefined> {
  try {
    return await readFile(join(path, 'PG_VERSION'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    // Unreadable for us: most likely the folder of the user who ran Till before.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') await refuseOtherOwner(path)
    throw error
  }
}

async function refuseStrangersFolder(path: string): Promise<void> {
  const found = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (found.length > 0) {
    throw new CannotStart(
      `${path} has files in it but no database. Move it away, or set DATA_DIR to another folder.`,
    )
  }
}

async function refuseOtherOwner(path: string): Promise<void> {
  const us = process.getuid?.()
  const owner = (await stat(path)).uid
  if (us === 0 || owner === us) return
  throw new CannotStart(
    `The database folder ${path} belongs to another user (uid ${owner}). ` +
      `Start Till as that user, or give it to this one: sudo chown -R ${us} ${path}`,
  )
}

function refuseOtherMajor(path: string, found: string, ours: string): void {
  const [theirMajor, ourMajor] = [majorVersion(found), majorVersion(ours)]
  if (theirMajor === ourMajor) return
  throw new CannotStart(
    `The database in ${path} was made by PostgreSQL ${theirMajor}, and this Till brings PostgreSQL ${ourMajor}. ` +
      'Start the Till that made it, take a backup there, and restore it into a new DATA_DIR here.',
  )
}
