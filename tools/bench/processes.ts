import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/* What Linux tells about processes under /proc. One that has ended has no CPU time and no memory. */

/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100

/** The CPU seconds of the server, with its workers if it has some, but without the database and the sandbox. */
export function readServerCpu(pid: number): number {
  const workers = listDescendants(pid).filter((other) =>
    /\bnode\b.*server\//.test(readCommand(other)),
  )
  return [pid, ...workers].reduce((sum, other) => sum + readCpu(other), 0)
}

/** The postmaster of the built-in database and its backends, those that have ended too. */
export function readDatabaseCpu(dataDir: string): number {
  return listDatabase(dataDir).reduce((sum, pid) => sum + readCpu(pid), 0)
}

/** Fields 14 to 17 of /proc/PID/stat: its own time and that of its children that have ended. */
function readCpu(pid: number): number {
  const ticks = readStat(pid).slice(11, 15)
  return ticks.reduce((sum, text) => sum + Number(text), 0) / ticksPerSecond
}

/** The built-in database's postmaster and its backends. */
export function listDatabase(dataDir: string): number[] {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const postmaster = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return [postmaster, ...listDescendants(postmaster)]
}

export function listDescendants(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(readStat(Number(name))[1])]),
  )
  const found = [pid]
  for (const parent of found)
    for (const [child, of] of parents) if (of === parent) found.push(child)
  return found.slice(1)
}

/** In megabytes: shared pages are counted proportionally (PSS). */
export function measurePssMb(pids: number[]): number {
  const kb = pids.map((pid) => /^Pss:\s+(\d+)/m.exec(readProc(pid, 'smaps_rollup'))?.[1] ?? 0)
  return Math.round(kb.reduce<number>((sum, text) => sum + Number(text), 0) / 1024)
}

export function measureRssMb(pid: number): number {
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024)
}

export function readCommand(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ')
}

/** From the third field on: the second, the name, may contain anything. */
function readStat(pid: number): string[] {
  return readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
