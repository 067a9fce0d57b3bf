import { spawn } from 'node:child_process'
import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { createDataDir } from '#server/data-dir.ts'
import { CannotStart } from '#server/cannot-start.ts'
import {
  childEnvironment,
  describeProblem,
  findNobody,
  workingFolderPath,
  type Binaries,
  type UnprivilegedUser,
} from './cluster.ts'
import { superuser } from './credentials.ts'

type NewCluster = {
  path: string
  binaries: Binaries
  user: UnprivilegedUser | undefined
  sync: boolean
  /** PostgreSQL's program works by itself from then on. */
  onLaunch: () => void
}

/** Makes sure that there is a complete cluster of our PostgreSQL's major version. Creates it if there is none. */
export async function prepareDataFolder(
  options: NewCluster & { say: (line: string) => void },
): Promise<void> {
  const { path } = options
  try {
    await removeUnfinishedClusters(path)
    if ((await findVersion(path)) === undefined) {
      await refuseOtherFiles(path)
      options.say('Preparing the database…')
      await createCluster(options)
    }
    await refuseOtherOwner(path)
    refuseOtherMajorVersion(path, (await findVersion(path)) ?? '', options.binaries.version)
  } catch (cause) {
    throw cause instanceof CannotStart ? cause : unusableFolder(path, cause)
  }
}

function unusableFolder(path: string, cause: unknown): CannotStart {
  const reason = describeProblem(cause)
  return new CannotStart(`The database folder ${path} cannot be used: ${reason}.`, { cause })
}

/** Absolute and without symlinks. */
export async function resolveClusterPath(dataDir: string): Promise<string> {
  try {
    await createFolder(dataDir)
    const path = join(await realpath(dataDir), 'postgres')
    return await realpath(path).catch(() => path)
  } catch (cause) {
    throw new CannotStart(
      `The data folder ${resolve(dataDir)} cannot be used: ${describeProblem(cause)}. ` +
        'Fix that, or set DATA_DIR to another folder.',
      { cause },
    )
  }
}

async function createFolder(folder: string): Promise<void> {
  try {
    await createDataDir(folder)
  } catch (error) {
    // On a read-only disk Node reports ENOENT; for the last folder alone it reports the real reason.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') await mkdir(folder)
    throw error
  }
}

async function findVersion(path: string): Promise<string | undefined> {
  try {
    return await readFile(join(path, 'PG_VERSION'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    // Not readable for us: most likely Till ran as another user before.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') await refuseOtherOwner(path)
    throw error
  }
}

async function refuseOtherFiles(path: string): Promise<void> {
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
  const ownUid = process.getuid?.()
  const owner = (await stat(path)).uid
  if (ownUid === 0 || owner === ownUid) return
  throw new CannotStart(
    `The database folder ${path} belongs to another user (uid ${owner}). ` +
      `Start Till as that user, or give it to this one: sudo chown -R ${ownUid} ${path}`,
  )
}

function refuseOtherMajorVersion(path: string, found: string, own: string): void {
  const [foundMajor, ownMajor] = [found, own].map((version) => version.trim().split('.')[0])
  if (foundMajor === ownMajor) return
  throw new CannotStart(
    `The database in ${path} was made by PostgreSQL ${foundMajor}, and this Till brings PostgreSQL ${ownMajor}. ` +
      'Start the Till that made it, take a backup there, and restore it into a new DATA_DIR here.',
  )
}

/** Clusters that this process is creating at the moment. */
const unfinishedHere = new Set<string>()

/** Created under another name and then renamed: a kill in the middle never leaves half a cluster. */
async function createCluster(cluster: NewCluster): Promise<void> {
  const { path, user } = cluster
  // The pid tells other starts whether its creator is still alive.
  const unfinished = await mkdtemp(`${path}.new-${process.pid}-`)
  unfinishedHere.add(unfinished)
  try {
    // initdb only runs for a user with a name; the folder is closed to others, and gets its own user afterwards.
    const creator = user && (await findNobody())
    if (creator) await chown(unfinished, creator.uid, creator.gid)
    await runInitdb(unfinished, cluster, creator)
    await fixPermissions(unfinished, user)
    await rename(unfinished, path).catch((error: NodeJS.ErrnoException) => {
      // Another start was faster; its cluster is as good as ours.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
    if (cluster.sync) await syncFolder(dirname(path))
  } finally {
    await rm(unfinished, { recursive: true, force: true })
    unfinishedHere.delete(unfinished)
  }
}

async function runInitdb(
  folder: string,
  { path, binaries, sync, onLaunch }: NewCluster,
  user: UnprivilegedUser | undefined,
) {
  const initdb = spawn(
    join(binaries.native, 'bin', 'initdb'),
    [
      `--pgdata=${workingFolderPath(folder)}`,
      `--username=${superuser}`,
      // Passwords are set before the first start ends.
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      // Sorts alike on every machine and knows letters beyond ASCII, whatever locales are installed.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(sync ? [] : ['--no-sync']),
    ],
    { cwd: folder, env: childEnvironment, stdio: ['ignore', 'ignore', 'pipe'], ...user },
  )
  onLaunch()
  const ended = new Promise<void>((resolve, reject) => {
    initdb.once('error', reject).once('exit', () => resolve())
  })
  const [output] = await Promise.all([text(initdb.stderr), ended])
  if (initdb.exitCode === 0) return
  const reason = describeProblem(output.trim() || `initdb ended by ${initdb.signalCode}`)
  throw new CannotStart(`The database could not be made in ${path}: ${reason}.`)
}

/** The new name must survive a power cut as well as the files do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}

/** Removes what first starts that were killed left behind. */
async function removeUnfinishedClusters(path: string): Promise<void> {
  const folder = dirname(path)
  const prefix = `${basename(path)}.new-`
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    const unfinished = join(folder, name)
    if (await isBeingCreated(unfinished, pid)) continue
    // Its initdb may have survived its server and still write; the next start removes what stays.
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(
      () => {},
    )
  }
}

/** No first start takes this long: after it, the pid belongs to another process. */
const maxFirstStartMs = 10 * 60_000

async function isBeingCreated(unfinished: string, creatorPid: number): Promise<boolean> {
  // In containers every server has the same pid, so our own number proves nothing.
  if (creatorPid === process.pid) return unfinishedHere.has(unfinished)
  if (!isAlive(creatorPid)) return false
  const found = await stat(unfinished).catch(() => undefined)
  return found !== undefined && Date.now() - found.birthtimeMs < maxFirstStartMs
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** PostgreSQL requires that its folder belongs to its user and is closed to others; a restored copy often is neither. */
export async function fixPermissions(
  path: string,
  user: UnprivilegedUser | undefined,
): Promise<void> {
  try {
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
  } catch (cause) {
    throw unusableFolder(path, cause)
  }
}
