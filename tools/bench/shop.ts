import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiRoutes } from '#contract/paths.ts'
import { freePort } from '#server/testing/running-shop.ts'
import { listDescendants, readCommand } from '#tools/bench/processes.ts'

/*
 * A shop as its owner sees it: a folder with the program, started by its own command and asked over HTTP. Nothing here
 * imports what runs in it, so that the folder may hold an older commit.
 */

/** Known, so that the load can have cookies of many buyers. */
const benchSecret = 'a-bench-signs-cookies-like-the-shop'

const admin = { username: 'admin', password: 'a-bench-logs-in-like-anyone' }
const startTimeoutMs = 120_000

export type Settings = Record<string, string>
export type BenchShop = Awaited<ReturnType<typeof openBenchShop>>

/** Installs packages and builds pages where they are missing, so that no start waits for it. */
export function prepareShop(folder: string): void {
  const { status } = spawnSync(process.execPath, ['run.mjs', 'build'], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`The shop in ${folder} could not be built.`)
}

type Started = { address: string; port: number; pid: number; stop: () => Promise<void> }

/** Starts the program in a folder with a data folder, and waits until it answers as ready. */
export async function startShop(
  folder: string,
  dataDir: string,
  settings: Settings = {},
): Promise<Started> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  // Nobody reads what it logs: reading would take CPU time of the machine that is measured.
  const child = spawn(process.execPath, ['run.mjs', 'start'], {
    cwd: folder,
    env: createEnvironment({ PORT: String(port), DATA_DIR: dataDir, ...settings }),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    if (hasEnded(child)) return
    child.kill('SIGTERM')
    await once(child, 'close')
  }
  const deadline = Date.now() + startTimeoutMs
  while (!(await isReady(address))) {
    if (hasEnded(child) || Date.now() > deadline) {
      await stop()
      throw new Error(`The shop in ${folder} did not open.`)
    }
    await sleep(15)
  }
  return { address, port, pid: findServer(child.pid ?? 0), stop }
}

function createEnvironment(settings: Settings): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the caller's own
  const { PATH, HOME } = process.env
  return { PATH, HOME, LOG_LEVEL: 'error', ...settings }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

async function isReady(address: string): Promise<boolean> {
  const response = await fetch(`${address}${apiRoutes.healthReady}`).catch(() => undefined)
  return response?.ok === true
}

/** The launcher's own process, unless it could not be replaced by the shop. */
function findServer(launcher: number): number {
  const isServer = (pid: number) => readCommand(pid).includes('server/main.ts')
  return [launcher, ...listDescendants(launcher)].find(isServer) ?? launcher
}

/** A demo shop with its own data and a signed-in admin; without orders, a new shop. */
export async function openBenchShop(
  orders: number,
  {
    folder = '.',
    events = 0,
    settings = {},
  }: { folder?: string; events?: number; settings?: Settings } = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'till-bench-'))
  const environment = {
    ADMIN_PASSWORD: admin.password,
    TRUST_PROXY: '1',
    SESSION_SECRET: benchSecret,
    ...settings,
  }
  const shop = await startShop(folder, dataDir, environment).catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true })
    throw error
  })
  const close = async () => {
    await shop.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    if (orders > 0) await seed(folder, { DATA_DIR: dataDir, ...environment }, orders, events)
    const cookie = await signIn(shop.address)
    let requests = 0
    /** From another address now and then, so that the admin never asks too often. */
    const createHeaders = () => {
      requests += 1
      return { cookie, 'x-forwarded-for': `192.0.2.${Math.floor(requests / 500) % 250}` }
    }
    const send = async (path: string, init: RequestInit = {}) => {
      const headers = { ...createHeaders(), 'content-type': 'application/json' }
      const response = await fetch(`${shop.address}${path}`, { ...init, headers })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return response
    }
    return {
      ...shop,
      dataDir,
      cookie,
      send,
      read: (path: string) => send(path).then((response) => response.text()),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function seed(
  folder: string,
  settings: Settings,
  orders: number,
  events: number,
): Promise<void> {
  const args = ['run.mjs', 'seed', '--orders', String(orders), '--events', String(events)]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: createEnvironment(settings),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error('The seed failed.')
}

async function signIn(address: string): Promise<string> {
  const answer = await fetch(`${address}${apiRoutes.adminLogin}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** The sandbox of this folder, the same for every shop that is compared. */
export async function openSandbox(): Promise<{
  settings: Settings
  port: number
  stop: () => void
}> {
  const child = spawn(process.execPath, ['sandbox/main.ts'], {
    env: createEnvironment({ PORT: '0' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const [, url = '', key = '', merchant = ''] =
    /Sandbox: (\S+) \(key (\S+), merchant (\S+)\)/.exec(String(line)) ?? []
  return {
    settings: { SUMUP_API_URL: url, SUMUP_API_KEY: key, SUMUP_MERCHANT_CODE: merchant },
    port: Number(new URL(url).port),
    stop: () => child.kill(),
  }
}
