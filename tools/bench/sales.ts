import { setTimeout as sleep } from 'node:timers/promises'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { readConfig } from '#server/config.ts'
import { delivery, goodCard, paymentBy } from '#server/testing/buyer.ts'
import { measureOrderInserts } from '#tools/bench/order-inserts.ts'
import {
  createReadRequests,
  formatRequest,
  loadServer,
  openClient,
  startBareRoute,
} from '#tools/bench/load.ts'
import { readDatabaseCpu, readServerCpu } from '#tools/bench/processes.ts'
import type { Row } from '#tools/bench/report.ts'
import {
  formatNumber,
  type BenchShop,
  type SellingShop,
  type BenchOptions,
} from '#tools/bench/shop.ts'
import { withShopDatabase } from '#tools/command.ts'

const warmUpSeconds = 4
const seconds = 7
const limitSeconds = 3
/** How many buyers buy at once. The costs are those of the last and largest number. */
const buyersAtOnce = [1, 8, 32] as const
const before: Record<number, string> = {
  1: '28 a second',
  8: '44-56 a second',
  32: '63-72 a second',
}
const maxStatements = 12
const minPerSecond = 200

/**
 * Whole sales, one after the other by several buyers at once. Buyers, the sandbox, shop and database are processes of
 * their own on this machine. Beside it stands how many orders a second its database keeps when nothing else is done.
 */
export async function benchSales({ shops }: BenchOptions): Promise<Row[]> {
  const shop = await shops.small()
  const buyers = openBuyers(shop, 'bench')
  const bareMs = await measureBareRequest()
  const rows: Row[] = []
  let costs: Row[] = []
  try {
    await sellFor(warmUpSeconds, 8, buyers)
    for (const atOnce of buyersAtOnce) {
      const limit = await measureOrderInserts(shop, atOnce, limitSeconds)
      const costBefore = await measure(shop)
      const sales = await sellFor(seconds, atOnce, buyers)
      const perSecond = sales / seconds
      costs = describeCosts(sales, costBefore, await measure(shop), bareMs)
      const isLargest = atOnce === 32
      rows.push({
        what: `whole sales, ${atOnce} at once`,
        measured: `${perSecond.toFixed(0)} a second`,
        limit: `${formatNumber(limit)} durable order transactions a second`,
        ratio: perSecond / limit,
        ...(isLargest && { aim: `≥ ${minPerSecond} a second`, isMet: perSecond >= minPerSecond }),
        ...(before[atOnce] && { before: before[atOnce] }),
      })
    }
  } finally {
    buyers.close()
  }
  return [...rows, ...costs]
}

async function sellFor(forSeconds: number, atOnce: number, { buy }: Buyers): Promise<number> {
  const endsAt = performance.now() + forSeconds * 1000
  let sales = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < endsAt) {
        await buy()
        if (performance.now() < endsAt) sales += 1
      }
    }),
  )
  return sales
}

type Measured = {
  shopSeconds: number
  databaseSeconds: number
  walBytes: number
  size: number
  transactions: number
}

/** The CPU of one request that bare Fastify answers with a small body. */
async function measureBareRequest(): Promise<number> {
  const bare = await startBareRoute()
  const load = () => loadServer(bare.port, 100, limitSeconds, createReadRequests('/'))
  await load()
  const before = readServerCpu(bare.pid)
  const { perSecond } = await load()
  const cpuMs = ((readServerCpu(bare.pid) - before) * 1000) / (perSecond * limitSeconds)
  bare.stop()
  return cpuMs
}

function describeCosts(sales: number, first: Measured, last: Measured, bareMs: number): Row[] {
  const perSale = (name: keyof Measured) => (last[name] - first[name]) / sales
  const shopMs = perSale('shopSeconds') * 1000
  const databaseMs = perSale('databaseSeconds') * 1000
  const statements = perSale('transactions')
  return [
    {
      what: 'CPU of a sale: shop + PostgreSQL',
      measured: `${shopMs.toFixed(1)} + ${databaseMs.toFixed(1)} ms`,
      limit: `a bare Fastify request ${bareMs.toFixed(3)} ms`,
      ratio: shopMs / bareMs,
      before: '11-21 + 10-13 ms',
    },
    {
      // Each is a transaction of its own, and transactions are what PostgreSQL counts; those of sweeps are among them.
      what: 'statements of a sale',
      measured: statements.toFixed(1),
      aim: `≤ ${maxStatements}`,
      isMet: statements <= maxStatements,
      before: '30',
    },
    {
      what: 'written for a sale: WAL, tables and indexes',
      measured: `${formatKb(perSale('walBytes'))}, ${formatKb(perSale('size'))}`,
    },
  ]
}

const formatKb = (bytes: number) => `${(bytes / 1024).toFixed(1)} kB`

async function measure({ pid, dataDir }: BenchShop): Promise<Measured> {
  // Analytics are committed some moments after the sale, and PostgreSQL counts transactions once a second.
  await sleep(1_200)
  let figures = { wal: '0', size: '0', transactions: '0' }
  await withShopDatabase(readConfig({ DATA_DIR: dataDir }), async (_db, pool) => {
    const { rows } = await pool.query(
      `select pg_current_wal_lsn() - '0/0'::pg_lsn as wal, pg_database_size(current_database()) as size,
        (select xact_commit + xact_rollback from pg_stat_database where datname = current_database()) as transactions`,
    )
    figures = rows[0]
  })
  return {
    shopSeconds: readServerCpu(pid),
    databaseSeconds: readDatabaseCpu(dataDir),
    walBytes: Number(figures.wal),
    size: Number(figures.size),
    transactions: Number(figures.transactions),
  }
}

export type Buyers = ReturnType<typeof openBuyers>

/** Buyers, each with an address, a cookie and an e-mail address of their own, which begins with `name`. */
export function openBuyers(shop: SellingShop, name: string) {
  const [till, sumup] = [openClient(shop.port), openClient(shop.sumupPort)]
  const { id: productId, price } = shop.product
  const offer = { productId, amount: price, currency: 'EUR' }
  let lastBuyer = 0

  /** A whole sale: create, details, card at the sandbox, order. Returns the buyer's e-mail address. */
  async function buy(): Promise<string> {
    lastBuyer += 1
    const buyer = lastBuyer
    const customerEmail = `${name}-${buyer}@example.com`
    const opened = await till.send(
      formatRequest(apiRoutes.createCheckout, buyer, { method: 'POST', body: offer }),
    )
    const headers = { cookie: /set-cookie: ([^;\r]+)/i.exec(opened.head)?.[1] ?? '' }
    const { checkoutId }: { checkoutId: string } = JSON.parse(opened.readBody())
    const details = { ...delivery, customerEmail }
    const detailsPath = pathOf(apiRoutes.checkoutDetails, { checkoutId })
    await till.send(formatRequest(detailsPath, buyer, { method: 'PUT', headers, body: details }))
    await sumup.send(
      formatRequest(`/v0.2/checkouts/${checkoutId}`, buyer, {
        method: 'PUT',
        body: paymentBy(goodCard),
      }),
    )
    const order = { ...details, ...offer, quantity: 1, status: 'pending' }
    const body = { ...order, sumupCheckoutId: checkoutId }
    await till.send(formatRequest(apiRoutes.orders, buyer, { method: 'POST', headers, body }))
    return customerEmail
  }

  return {
    buy,
    close: () => {
      till.close()
      sumup.close()
    },
  }
}
