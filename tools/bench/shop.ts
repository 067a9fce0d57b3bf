import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { apiRoutes } from '#contract/paths.ts'
import { readConfig } from '#server/config.ts'
import { openSandbox } from '#server/sumup/sandbox-process.ts'
import { measureRssMb } from '#tools/bench/processes.ts'
import { withShopDatabase } from '#tools/command.ts'
import { freePort, startShop } from '#server/testing/running-shop.ts'

/** Known, so that the load can have cookies of many buyers. */
export const benchSecret = 'a-bench-signs-cookies-like-the-shop'

const admin = { username: 'admin', password: 'a-bench-logs-in-like-anyone' }

export type BenchShop = Awaited<ReturnType<typeof openBenchShop>>

type ShopOptions = {
  events?: number
  settings?: Record<string, string>
  /** Nobody reads what it logs: reading would take CPU time of the machine that is measured. */
  isUnread?: boolean
}

/** A demo shop in its own process with its own database, and a signed-in admin; of size 0, a new shop. */
export async function openBenchShop(
  size: number,
  { events = 0, settings = {}, isUnread = false }: ShopOptions = {},
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
  const shop = startShop('server/main.ts', environment, port, { isUnread })

  async function close(): Promise<void> {
    shop.process.kill('SIGTERM')
    await shop.ended
    await rm(dataDir, { recursive: true, force: true })
  }

  try {
    await shop.ready()
    if (size > 0) await seed(environment, size, events)
    const cookie = await signIn(shop.address)
    let requests = 0
    /** From another address now and then, so that the admin never asks too often. */
    const createHeaders = () => {
      requests += 1
      return { cookie, 'x-forwarded-for': `192.0.2.${Math.floor(requests / 500) % 250}` }
    }
    const request = (path: string) => fetch(`${shop.address}${path}`, { headers: createHeaders() })
    const send = (method: string, path: string, body: object) =>
      fetch(`${shop.address}${path}`, {
        method,
        headers: { ...createHeaders(), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(getText)
    return {
      size,
      port,
      address: shop.address,
      pid: shop.process.pid ?? 0,
      dataDir,
      cookie,
      request,
      read: (path: string) => request(path).then(getText),
      patch: (path: string, body: object) => send('PATCH', path, body),
      put: (path: string, body: object) => send('PUT', path, body),
      measureMemoryMb: () => measureRssMb(shop.process.pid ?? 0),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export type SellingShop = BenchShop & { sumupPort: number; product: { id: string; price: string } }

/** A demo shop whose payments go to a sandbox in a process of its own, and one of its products. */
export async function openSellingShop(
  size: number,
  options: ShopOptions = {},
): Promise<SellingShop> {
  const folder = await mkdtemp(join(tmpdir(), 'till-bench-sumup-'))
  const sandbox = await openSandbox(
    { dataDir: folder, publicUrl: 'http://127.0.0.1', currency: 'EUR' },
    pino({ level: 'silent' }),
  )
  const stop = async () => {
    await sandbox.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const { apiUrl, apiKey, merchantCode } = sandbox.account
    const account = {
      SUMUP_API_URL: apiUrl,
      SUMUP_API_KEY: apiKey,
      SUMUP_MERCHANT_CODE: merchantCode,
    }
    const shop = await openBenchShop(size, {
      ...options,
      settings: { ...account, ...options.settings },
    })
    const close = async () => {
      await shop.close()
      await stop()
    }
    return {
      ...shop,
      sumupPort: Number(new URL(apiUrl).port),
      product: await findProduct(shop),
      close,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export async function findProduct({ read }: BenchShop): Promise<{ id: string; price: string }> {
  const [product] = JSON.parse(await read(apiRoutes.products)) as { id: string; price: string }[]
  if (!product) throw new Error('The demo shop has no product.')
  return product
}

export type BenchOptions = {
  shops: Shops
  /** All benches run, so each measures only what stands in the table: five minutes in all. */
  isWhole: boolean
  isBig: boolean
}

export type Shops = ReturnType<typeof createShops>

/** Shops that several benches share, each opened when it is first needed: the seed of the large one takes longest of all. */
export function createShops() {
  const opened: Promise<BenchShop>[] = []
  /** One that is closed at the end of the run at the latest, however that comes. */
  const open = <Shop extends BenchShop>(opening: Promise<Shop>): Promise<Shop> => {
    opened.push(opening)
    return opening
  }
  let small: Promise<SellingShop> | undefined
  let large: Promise<BenchShop> | undefined
  return {
    open,
    small: () => (small ??= open(openSellingShop(1_000, { events: 10_000 }))),
    large: () => (large ??= open(openBenchShop(100_000, { events: 1_000_000 }))),
    async close(): Promise<void> {
      for (const shop of opened) await shop.then(({ close }) => close()).catch(() => {})
    },
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

export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export function median(figures: number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
}

export const formatNumber = (number: number): string => Math.round(number).toLocaleString('en')

/** The version of the database that the shop uses. */
export async function findPostgresVersion({ dataDir }: BenchShop): Promise<string> {
  let version = ''
  await withShopDatabase(readConfig({ DATA_DIR: dataDir }), async (_db, pool) => {
    const { rows } = await pool.query<{ server_version: string }>('show server_version')
    version = rows[0]?.server_version.split(' ')[0] ?? ''
  })
  return version
}

export const formatMs = (ms: number): string => `${ms.toFixed(1)} ms`
