import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isPostmasterOf, maybePidIn } from './running-postmaster.ts'
import { socketName } from './settings.ts'

/**
 * PostgreSQL respects a lock file as long as any process bears its pid, be it a stranger's or a zombie. Removing
 * one is safe: backends that outlive their postmaster are known to it by the memory they share, not by this file.
 */
export async function removeStaleLockFiles(path: string): Promise<void> {
  for (const name of ['postmaster.pid', `${socketName}.lock`]) {
    const file = join(path, name)
    const before = await readFile(file, 'utf8').catch(() => undefined)
    if (before !== undefined && (await isStale(path, file))) await removeIfStill(before, file)
  }
}

async function isStale(path: string, file: string): Promise<boolean> {
  const pid = await maybePidIn(file)
  if (pid === undefined) return isOld(file)
  return !(await isPostmasterOf(path, pid))
}

/** A lock file is empty for an instant while it is written, and for ever after a power cut in that instant. */
async function isOld(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > 1_000
}

/** Another start may put its own fresh file there between our look and our removal: that one is put back. */
async function removeIfStill(before: string, file: string): Promise<void> {
  const aside = `${file}.stale-${process.pid}`
  try {
    await rename(file, aside)
    if ((await readFile(aside, 'utf8')) !== before) await link(aside, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error
  } finally {
    await rm(aside, { force: true })
  }
}
