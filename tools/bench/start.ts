import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startShop, type RunningShop } from '#tools/running-shop.ts'

/** The time from `npm start` to ready, and the memory of an idle shop. */
export async function benchStart(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'till-bench-'))
  try {
    const first = await timeStart(dataDir)
    console.log(`  first start, new data folder    ${first.seconds} s to ready`)
    await stop(first.shop)
    const second = await timeStart(dataDir)
    console.log(`  second start                    ${second.seconds} s to ready`)
    const memory = measureMemory(second.shop.process.pid ?? 0)
    for (const [name, { pss, rss }] of Object.entries(memory))
      console.log(`  memory at rest, ${name.padEnd(16)}${pss} MB (PSS), ${rss} MB (RSS)`)
    await stop(second.shop)
    const third = await timeStart(dataDir, 'run.mjs')
    console.log(`  the same without npm            ${third.seconds} s to ready`)
    await stop(third.shop)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function timeStart(
  dataDir: string,
  program: 'npm start' | 'run.mjs' = 'npm start',
): Promise<{ shop: RunningShop; seconds: string }> {
  const port = await freePort()
  const started = performance.now()
  const shop = startShop(program, { DATA_DIR: dataDir }, port)
  await shop.ready()
  return { shop, seconds: ((performance.now() - started) / 1000).toFixed(2) }
}

async function stop(shop: RunningShop): Promise<void> {
  shop.process.kill('SIGTERM')
  await shop.ended
}

/** What a process of `npm start` is, by its command line. */
const kinds = {
  npm: /^npm start/,
  launcher: /run\.mjs/,
  server: /server\/main\.ts/,
  'stand-in': /sandbox\/main\.ts/,
  database: /postgres/,
}

type Memory = { pss: number; rss: number }

/**
 * Of npm and everything below it, in megabytes. In PSS shared pages are counted proportionally, also those shared with other
 * programs of this machine that run the same Node; in RSS they are counted in every process.
 */
function measureMemory(npmPid: number): Record<string, Memory> {
  const processes = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => ({ pid: Number(entry), status: readProc(Number(entry), 'status') }))
  const children = Map.groupBy(processes, ({ status }) => readNumber(status, 'PPid'))
  const family = [npmPid]
  for (const pid of family) family.push(...(children.get(pid) ?? []).map((child) => child.pid))
  return Object.fromEntries(
    Object.entries(kinds).map(([name, pattern]) => {
      const maps = family
        .filter((pid) => pattern.test(readProc(pid, 'cmdline').replaceAll('\0', ' ')))
        .map((pid) => readProc(pid, 'smaps_rollup'))
      const sum = (field: string) =>
        Math.round(maps.reduce((total, map) => total + readNumber(map, field), 0) / 1024)
      return [name, { pss: sum('Pss'), rss: sum('Rss') }]
    }),
  )
}

function readNumber(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
