import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiRoutes } from '#contract/paths.ts'
import { freePort, startShop } from '#tools/running-shop.ts'

/** Known, so that the load can have cookies of many buyers. */
export const benchSecret = 'a-bench-signs-cookies-like-the-shop'

const admin = { username: 'admin', password: 'a-bench-signs-in-like-anyone' }

export type BenchShop = Awaited<ReturnType<typeof openBenchShop>>

/** A demo shop in its own process with its own database, and a signed-in admin; of size 0, a new shop. */
export async function openBenchShop(
  size: number,
  { events = 0, settings = {} }: { events?: number; settings?: Record<string, string> } = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'till-bench-'))
  const environment = {
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'error',
    TRUST_PROXY: '1',
    SESSION_SECRET: benchSecret,
    ...settings,
  }
  const port = await freePort()
  const shop = startShop('server/main.ts', environment, port)

  async function close(): Promise<void> {
    shop.process.kill('SIGTERM')
    await shop.ended
    await rm(dataDir, { recursive: true, force: true })
  }

  try {
    await shop.ready()
    if (size > 0) await seed(environment, size, events)
    const cookie = await signIn(shop.address)
    const request = (path: string) => fetch(`${shop.address}${path}`, { headers: { cookie } })
    return {
      size,
      port,
      address: shop.address,
      pid: shop.process.pid ?? 0,
      dataDir,
      cookie,
      request,
      read: (path: string) => request(path).then(getText),
      patch: (path: string, body: object) =>
        fetch(`${shop.address}${path}`, {
          method: 'PATCH',
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }).then(getText),
      measureMemoryMb: () => measureMemoryMb(shop.process.pid ?? 0),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function getText(response: Response): Promise<string> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return text
}

async function seed(
  environment: Record<string, string>,
  orders: number,
  events: number,
): Promise<void> {
  const args = ['tools/seed.ts', '--orders', String(orders), '--events', String(events)]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
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

function measureMemoryMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}

export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export function median(figures: number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
}

export const formatNumber = (number: number): string => Math.round(number).toLocaleString('en')

export function printFigure(name: string, figure: string): void {
  console.log(`  ${name.padEnd(36)}${figure}`)
}
