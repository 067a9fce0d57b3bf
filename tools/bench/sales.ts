import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { readConfig } from '#server/config.ts'
import { startStandIn } from '#server/sumup/stand-in.ts'
import { delivery, goodCard } from '#server/testing/buyer.ts'
import { formatNumber, openBenchShop, printFigure, type BenchShop } from '#tools/bench/shop.ts'
import { withShopDatabase } from '#tools/command.ts'

const orders = 1_000
const buyers = 16
const warmUpSeconds = 5
const measuredSeconds = 20
/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100

/**
 * Whole sales, one after the other by several buyers: page, checkout, details, card, order, thank-you page. Buyers, the
 * stand-in of SumUp, shop and database share this machine, so the sales per second say little about others; the CPU time of a
 * sale in the shop and in the database does.
 */
export async function benchSales(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'till-bench-sumup-'))
  const standIn = await startStandIn(
    { dataDir: folder, publicUrl: 'http://127.0.0.1', currency: 'EUR' },
    pino({ level: 'silent' }),
  )
  const { apiUrl, apiKey, merchantCode } = standIn.account
  const settings = {
    SUMUP_API_URL: apiUrl,
    SUMUP_API_KEY: apiKey,
    SUMUP_MERCHANT_CODE: merchantCode,
  }
  const shop = await openBenchShop(orders, { settings })
  try {
    const [product] = JSON.parse(await shop.read(apiRoutes.products)) as Product[]
    if (!product) throw new Error('The demo shop has no product.')
    await sellFor(warmUpSeconds, shop, apiUrl, product)
    const before = await measure(shop)
    const sales = await sellFor(measuredSeconds, shop, apiUrl, product)
    const after = await measure(shop)
    printFigures(sales, before, after)
  } finally {
    await shop.close()
    await standIn.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Product = { id: string; price: string }
type Measured = { shopSeconds: number; databaseSeconds: number; walBytes: number; size: number }

function printFigures(sales: number, before: Measured, after: Measured): void {
  const perSale = (name: keyof Measured) => (after[name] - before[name]) / sales
  const shopMs = perSale('shopSeconds') * 1000
  const databaseMs = perSale('databaseSeconds') * 1000
  printFigure(
    'whole sales',
    `${(sales / measuredSeconds).toFixed(1)}/s with ${buyers} buyers, all on these ${availableParallelism()} cores`,
  )
  printFigure(
    'CPU of a sale',
    `${shopMs.toFixed(1)} ms in the shop, ${databaseMs.toFixed(1)} ms in PostgreSQL`,
  )
  printFigure(
    'one core each would sell',
    `${formatNumber(60_000 / shopMs)} a minute in the shop, ${formatNumber(60_000 / databaseMs)} in PostgreSQL`,
  )
  printFigure(
    'written for a sale',
    `${(perSale('walBytes') / 1024).toFixed(1)} kB of WAL, ${(perSale('size') / 1024).toFixed(1)} kB of tables and indexes`,
  )
}

async function sellFor(
  seconds: number,
  shop: BenchShop,
  sumupUrl: string,
  product: Product,
): Promise<number> {
  const endsAt = performance.now() + seconds * 1000
  let sales = 0
  await Promise.all(
    Array.from({ length: buyers }, async () => {
      while (performance.now() < endsAt) {
        await buy(shop, sumupUrl, product)
        sales += 1
      }
    }),
  )
  return sales
}

let lastBuyer = 0

async function buy({ address }: BenchShop, sumupUrl: string, product: Product): Promise<void> {
  lastBuyer += 1
  const ip = `${11 + (lastBuyer % 180)}.${(lastBuyer >> 16) & 255}.${(lastBuyer >> 8) & 255}.${lastBuyer & 255}`
  let cookie = ''
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: {
        'x-forwarded-for': ip,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0',
        cookie,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`)
    return text
  }
  const { id: productId, price } = product
  await call('GET', checkoutPath(productId))
  const opened = await call('POST', apiRoutes.createCheckout, {
    productId,
    amount: price,
    currency: 'EUR',
  })
  const { checkoutId }: { checkoutId: string } = JSON.parse(opened)
  const details = { ...delivery, customerEmail: `buyer-${lastBuyer}@example.com` }
  await call('PUT', pathOf(apiRoutes.checkoutDetails, { checkoutId }), details)
  const card = {
    name: 'Anna',
    number: goodCard,
    expiry_month: '12',
    expiry_year: '2039',
    cvv: '123',
  }
  await fetch(`${sumupUrl}/v0.2/checkouts/${checkoutId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payment_type: 'card', card }),
  }).then((answer) => answer.text())
  const order = {
    ...details,
    productId,
    quantity: 1,
    amount: price,
    currency: 'EUR',
    status: 'pending',
  }
  const { id }: { id: string } = JSON.parse(
    await call('POST', apiRoutes.orders, { ...order, sumupCheckoutId: checkoutId }),
  )
  await call('GET', thankYouPath(id))
}

async function measure({ pid, dataDir }: BenchShop): Promise<Measured> {
  // The last commits of analytics come some moments after the sale.
  await sleep(500)
  let walBytes = 0
  let size = 0
  await withShopDatabase(readConfig({ DATA_DIR: dataDir }), async (_db, pool) => {
    const { rows } = await pool.query(
      `select pg_current_wal_lsn() - '0/0'::pg_lsn as wal, pg_database_size(current_database()) as size`,
    )
    walBytes = Number(rows[0].wal)
    size = Number(rows[0].size)
  })
  const postmaster = Number.parseInt(
    readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'),
    10,
  )
  return { shopSeconds: readCpu(pid), databaseSeconds: readFamilyCpu(postmaster), walBytes, size }
}

/** Fields 14 to 17 of /proc/PID/stat: its own time and that of its children that have ended. */
function readCpu(pid: number): number {
  const fields = readStat(pid)
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

/** The postmaster and its backends. */
function readFamilyCpu(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => readStat(other)[1] === String(pid))
  return [pid, ...children].reduce((sum, other) => sum + readCpu(other), 0)
}

/** From the third field on: the second, the name, may contain anything. Empty for a process that has ended. */
function readStat(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}
