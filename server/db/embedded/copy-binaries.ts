import { existsSync, type Dirent } from 'node:fs'
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { join, relative } from 'node:path'
import { libraryNames, type Binaries } from './binaries.ts'

/** The copy that an earlier start made in `place`. */
export async function maybeCopy(binaries: Binaries, place: string): Promise<Binaries | undefined> {
  const native = nameIn(place, binaries)
  await refuseIfOthersCanSwap(place)
  if (!existsSync(native)) return undefined
  if (!(await isOurs(native))) throw new Error("somebody else's folder is in the way")
  return (await isComplete(binaries.native, native)) ? { ...binaries, native } : undefined
}

/** A copy in `place` that everybody may run and only we may change. */
export async function copyBinaries(binaries: Binaries, place: string): Promise<Binaries> {
  const native = nameIn(place, binaries)
  // Finished under another name first: whoever finds the final name finds all of it.
  const unfinished = await mkdtemp(`${native}.unfinished-`)
  try {
    await copyFiles(binaries.native, unfinished)
    // Another start may have been quicker; what it made is in use by now.
    if (await maybeCopy(binaries, place)) return { ...binaries, native }
    await rm(native, { recursive: true, force: true })
    await rename(unfinished, native)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return { ...binaries, native }
}

function nameIn(place: string, { version }: Binaries): string {
  return join(place, `till-postgres-${version}-${us}`)
}

const us = process.getuid?.() ?? 0

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
      const runs = ((await lstat(from)).mode & 0o100) !== 0
      // The sticky bit on a file asks systemd-tmpfiles to spare it, however long nobody reads it.
      await chmod(to, runs ? 0o1755 : 0o1644)
    }
  }
  for (const { file, alias } of await libraryNames(source)) {
    // Hard links, since a symlink cannot be marked to be spared.
    await link(join(copy, relative(source, file)), join(copy, relative(source, alias)))
  }
}

/** Static libraries serve compilers only. Symlinks are made anew. */
function isNeeded(entry: Dirent): boolean {
  return entry.isFile() && !entry.name.endsWith('.a')
}

async function refuseIfOthersCanSwap(place: string): Promise<void> {
  const { mode, uid } = await stat(place)
  const othersMayWrite = (mode & 0o022) !== 0
  const onlyOwnersRename = (mode & 0o1000) !== 0
  if ((uid !== us && uid !== 0) || (othersMayWrite && !onlyOwnersRename)) {
    throw new Error('other users may replace files there')
  }
}

/** Somebody else's folder of this name would be somebody else's programs. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return (
    found !== undefined && found.isDirectory() && found.uid === us && (found.mode & 0o022) === 0
  )
}

/** Cleaners of temporary folders may have taken some of it. */
async function isComplete(source: string, copy: string): Promise<boolean> {
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!isNeeded(entry)) continue
    const file = join(entry.parentPath, entry.name)
    const copied = await lstat(join(copy, relative(source, file))).catch(() => undefined)
    if (copied?.size !== (await lstat(file)).size) return false
  }
  for (const { alias } of await libraryNames(source)) {
    const copied = await lstat(join(copy, relative(source, alias))).catch(() => undefined)
    if (copied === undefined) return false
  }
  return true
}
