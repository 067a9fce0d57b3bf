import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  findPostmaster,
  listDescendants,
  measurePssMb,
  readCommand,
} from '#tools/bench/processes.ts'
import type { Row } from '#tools/bench/report.ts'
import { freePort, startShop } from '#server/testing/running-shop.ts'

const maxSecondStart = 1.4
const maxMb = { server: 120, sandbox: 60, launcher: 40 }
/** Until the start is over for memory too: V8 gives back what only the start needed. */
const restMs = 5_000

/** The time from the launcher's start to ready, and the memory of an idle shop that was started as people do, by npm. */
export async function benchStart(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'till-bench-'))
  try {
    const first = await start('run.mjs', dataDir)
    await first.stop()
    const second = await start('run.mjs', dataDir)
    await second.stop()
    const byNpm = await start('npm start', dataDir)
    await sleep(restMs)
    const memory = measureMemory(byNpm.pid, dataDir)
    await byNpm.stop()
    return [
      { what: 'first start, new data folder', measured: `${first.seconds.toFixed(2)} s` },
      {
        what: 'second start',
        measured: `${second.seconds.toFixed(2)} s`,
        limit: `with npm in front of it ${byNpm.seconds.toFixed(2)} s`,
        aim: `≤ ${maxSecondStart} s`,
        isMet: second.seconds <= maxSecondStart,
        before: '1.25 s',
      },
      describeMemory('server', memory.server, maxMb.server, '150 MB'),
      describeMemory('sandbox', memory.sandbox, maxMb.sandbox, '104 MB'),
      {
        ...describeMemory('launcher + npm', memory.launcher + memory.npm, maxMb.launcher, '100 MB'),
        measured: `${memory.launcher} + ${memory.npm} MB`,
      },
      { what: 'memory at rest: PostgreSQL', measured: `${memory.database} MB` },
    ]
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function describeMemory(name: string, mb: number, max: number, before: string): Row {
  return {
    what: `memory at rest: ${name}`,
    measured: `${mb} MB`,
    aim: `≤ ${max} MB`,
    isMet: mb <= max,
    before,
  }
}

async function start(program: Parameters<typeof startShop>[0], dataDir: string) {
  const port = await freePort()
  const startedAt = performance.now()
  const shop = startShop(program, { DATA_DIR: dataDir }, port, { isUnread: true })
  const stop = async () => {
    shop.process.kill('SIGTERM')
    await shop.ended
  }
  try {
    await shop.ready()
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: shop.process.pid ?? 0, seconds: (performance.now() - startedAt) / 1000, stop }
}

/** In megabytes. Told apart by their command lines, so that it does not matter who started whom. */
function measureMemory(npm: number, dataDir: string) {
  const postmaster = findPostmaster(dataDir)
  const started = listDescendants(npm)
  const running = (program: string) => started.filter((pid) => readCommand(pid).includes(program))
  return {
    npm: measurePssMb([npm]),
    launcher: measurePssMb(running('run.mjs')),
    server: measurePssMb(running('server/main.ts')),
    sandbox: measurePssMb(running('sandbox/main.ts')),
    database: measurePssMb([postmaster, ...listDescendants(postmaster)]),
  }
}
