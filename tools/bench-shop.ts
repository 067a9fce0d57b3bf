import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiRoutes } from '#contract/paths.ts'
import { freePort, startShop } from '#tools/running-shop.ts'

const admin = { username: 'admin', password: 'a-bench-signs-in-like-anyone' }

export type BenchShop = Awaited<ReturnType<typeof openBenchShop>>

/** A demo shop of so many orders (and events), in a process of its own with a database of its own, and an admin in it. */
export async function openBenchShop(size: number, { events = 0 } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'till-bench-'))
  const environment = {
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'error',
    TRUST_PROXY: '1',
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
    await seed(environment, size, events)
    const cookie = await signIn(shop.address)
    const ask = (path: string) => fetch(`${shop.address}${path}`, { headers: { cookie } })
    const change = (path: string, body: object) =>
      fetch(`${shop.address}${path}`, {
        method: 'PATCH',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(readGood)
    const residentMb = () => weigh(shop.process.pid ?? 0)
    return {
      size,
      port,
      cookie,
      ask,
      read: (path: string) => ask(path).then(readGood),
      change,
      residentMb,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function readGood(answer: Response): Promise<string> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
  return text
}

async function seed(
  environment: Record<string, string>,
  orders: number,
  events: number,
): Promise<void> {
  const words = ['tools/seed.ts', '--orders', String(orders), '--events', String(events)]
  const child = spawn(process.execPath, words, {
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

function weigh(pid: number): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}
