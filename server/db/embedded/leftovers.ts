import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Clusters that this process is making right now. */
export const unfinishedHere = new Set<string>()

/** For mkdtemp. The pid tells whether the maker still lives. */
export function unfinishedPrefix(path: string): string {
  return `${path}.new-${process.pid}-`
}

/** What is left of first starts that were killed half-way. */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder)) {
    const [, pid] = new RegExp(`^${basename(path)}\\.new-(\\d+)-`).exec(name) ?? []
    if (pid === undefined) continue
    const leftover = join(folder, name)
    if (await isBeingMade(leftover, Number(pid))) continue
    // Its initdb may have outlived its server and still write; what stays is taken by the next start.
    await rm(leftover, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(
      ignore,
    )
  }
}

/** No first start takes this long: by then the pid belongs to somebody else. */
const longestFirstStartMs = 10 * 60_000

async function isBeingMade(leftover: string, maker: number): Promise<boolean> {
  // Containers give every server the same pid, so our own number proves nothing.
  if (maker === process.pid) return unfinishedHere.has(leftover)
  if (!isAlive(maker)) return false
  const made = await stat(leftover).catch(() => undefined)
  return made !== undefined && Date.now() - made.birthtimeMs < longestFirstStartMs
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function ignore(): void {}
