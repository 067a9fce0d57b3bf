import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startShop, type RunningShop } from '#tools/running-shop.ts'

/** The time from the launcher's start to ready, and the memory of an idle shop. */
export async function benchStart(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'till-bench-'))
  try {
    const first = await timeStart(dataDir)
    console.log(`  first start, new data folder    ${first.seconds} s to ready`)
    await stop(first.shop)
    const second = await timeStart(dataDir)
    console.log(`  second start                    ${second.seconds} s to ready`)
    const { launcher, server, database } = measureMemory(second.shop.process.pid ?? 0, dataDir)
    console.log(
      `  memory at rest (PSS)            server ${server} MB, database ${database} MB, launcher ${launcher} MB`,
    )
    await stop(second.shop)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function timeStart(dataDir: string): Promise<{ shop: RunningShop; seconds: string }> {
  const port = await freePort()
  const started = performance.now()
  const shop = startShop('run.mjs', { DATA_DIR: dataDir }, port)
  await shop.ready()
  return { shop, seconds: ((performance.now() - started) / 1000).toFixed(2) }
}

async function stop(shop: RunningShop): Promise<void> {
  shop.process.kill('SIGTERM')
  await shop.ended
}

/** In megabytes (PSS: shared pages are counted proportionally). */
function measureMemory(launcherPid: number, dataDir: string) {
  const processes = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
  const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1])
  const postmaster = Number(
    readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  )
  const sum = (pids: number[]) =>
    Math.round(pids.reduce((total, pid) => total + readPssKb(pid), 0) / 1024)
  const serverPid = processes.find((pid) => parentOf(pid) === launcherPid && pid !== postmaster)
  return {
    launcher: sum([launcherPid]),
    server: sum(serverPid ? [serverPid] : []),
    database: sum([postmaster, ...processes.filter((pid) => parentOf(pid) === postmaster)]),
  }
}

function readPssKb(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readProc(pid, 'smaps_rollup'))?.[1] ?? 0)
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
