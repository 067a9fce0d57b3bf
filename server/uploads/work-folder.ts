import { randomBytes } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder of files that are not what they will be yet, with names that nobody chose. */
export type WorkFolder = { path: string; newPath: () => string }

export async function openWorkFolder(path: string): Promise<WorkFolder> {
  await mkdir(path, { recursive: true })
  return { path, newPath: () => join(path, randomBytes(16).toString('hex')) }
}

/** Puts a finished file in its place, where it is still found after a power cut. */
export async function settle(draft: string, folder: string, name: string): Promise<void> {
  await rename(draft, join(folder, name))
  // Only on Windows can a folder not be opened; there the journal of NTFS does this.
  if (process.platform !== 'win32') await flush(folder, 'r')
}

export async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await flush(to, 'r+')
}

/** A second name for a file, or nothing if there is no such file. */
export async function maybeLink(from: string, to: string): Promise<string | undefined> {
  try {
    await link(from, to)
    return to
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Removes what has lain here for so long: whoever wrote it was cut off, and did not come back. */
export async function dropStaleFiles(folder: string, olderThanMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > olderThanMs) await rm(path, { recursive: true, force: true })
  }
}
