import { nextCursorHeader, type AdminOrder } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { openBenchShop, type BenchShop } from '#tools/bench-shop.ts'

const runs = 60
const warmUps = 5

/** Whether a list of 100,000 orders (of a million with --big) feels like one of 1,000. */
export async function benchOrders({ isBig }: { isBig: boolean }): Promise<void> {
  const sizes = [1_000, 100_000, ...(isBig ? [1_000_000] : [])]
  const shops: BenchShop[] = []
  try {
    for (const size of sizes) shops.push(await openBenchShop(size))
    await timeAll(shops)
    for (const shop of shops.slice(1)) await weighStreams(shop)
  } finally {
    for (const shop of shops) await shop.close()
  }
}

/** The shops take turns, so that whatever else the machine does burdens all alike. */
async function timeAll(shops: BenchShop[]): Promise<void> {
  const places = await Promise.all(shops.map(findPlaces))
  console.log(
    `  ${''.padEnd(34)}${shops.map(({ size }) => size.toLocaleString('en').padStart(22)).join('')}`,
  )
  for (const [title, ask] of Object.entries(questions)) {
    const times: number[][] = shops.map(() => [])
    for (let run = -warmUps; run < runs; run += 1) {
      for (const [index, shop] of shops.entries()) {
        const place = places[index]
        if (!place) continue
        const started = performance.now()
        await ask(shop, place, run + warmUps)
        if (run >= 0) times[index]?.push(performance.now() - started)
      }
    }
    const medians = times.map(median)
    const figures = medians.map((ms, index) => {
      const ratio = index === 0 ? '' : `× ${(ms / (medians[0] ?? ms)).toFixed(2)}`
      return `${ms.toFixed(1).padStart(12)} ms ${ratio.padStart(6)}`
    })
    console.log(`  ${title.padEnd(34)}${figures.join('')}`)
  }
}

type Places = { deepCursor: string; deep: AdminOrder[] }
type Question = (shop: BenchShop, places: Places, run: number) => Promise<unknown>

/** The more orders the more hits: five of them, so that searches are compared and not the writing of answers. */
const search = (q: (places: Places, run: number) => string, more = ''): Question => {
  return (shop, places, run) =>
    shop.read(`${apiRoutes.orders}?limit=5&q=${encodeURIComponent(q(places, run))}${more}`)
}
const oneOf = ({ deep }: Places, run: number): AdminOrder => {
  const order = deep[run % deep.length]
  if (!order) throw new Error('there are no orders')
  return order
}

const questions: Record<string, Question> = {
  'first page': (shop) => shop.read(`${apiRoutes.orders}?limit=50`),
  'page 500 (or the last)': (shop, { deepCursor }) =>
    shop.read(`${apiRoutes.orders}?limit=50&cursor=${deepCursor}`),
  'first page of a status': (shop) => shop.read(`${apiRoutes.orders}?limit=50&status=completed`),
  'search: one e-mail address': search((places, run) => oneOf(places, run).customerEmail ?? ''),
  'search: part of an order id': search((places, run) => oneOf(places, run).id.slice(0, 8)),
  'search: a product': search(() => 'mug'),
  'search: a full name': search((places, run) => oneOf(places, run).customerName ?? ''),
  'search: a product in a status': search(() => 'vase', '&status=pending'),
  // A demo product had it half a year ago: many orders have it, but none of the newest, and none that is pending.
  'search: a name of long ago': search(() => 'honey candle'),
  'search: the same in a status': search(() => 'honey candle', '&status=pending'),
  'search: nobody': search(() => 'qqzz nobody'),
  'search: nobody with a common end': search(() => 'nobody.at.all@example.com'),
  'search: two letters': search(() => 'ül'),
  'search: two letters of nobody': search(() => 'qx'),
  'search: one sign of nobody': search(() => '§'),
  counts: (shop) => shop.read(apiRoutes.orderCounts),
  'status change': (shop, places, run) =>
    shop.change(pathOf(apiRoutes.orderStatus, { id: oneOf(places, run).id }), {
      status: Math.floor(run / places.deep.length) % 2 === 0 ? 'shipped' : 'processing',
    }),
}

/** Page 500, or the last where there are not as many, by way of pages of 200. */
async function findPlaces(shop: BenchShop): Promise<Places> {
  const wanted = Math.min(499 * 50, shop.size - 50)
  let cursor = ''
  for (let passed = 0; passed < wanted;) {
    const limit = Math.min(200, wanted - passed)
    const answer = await shop.ask(
      `${apiRoutes.orders}?limit=${limit}${cursor && `&cursor=${cursor}`}`,
    )
    await answer.arrayBuffer()
    cursor = answer.headers.get(nextCursorHeader) ?? ''
    passed += limit
  }
  const deep: AdminOrder[] = JSON.parse(
    await shop.read(`${apiRoutes.orders}?limit=50&cursor=${cursor}`),
  )
  return { deepCursor: cursor, deep }
}

/**
 * What the server weighs more at most while it sends everything to somebody who reads as fast as it comes. The first
 * export after a start also pays for what V8 keeps ready ever after; the second shows whether memory stays flat.
 */
async function weighStreams(shop: BenchShop): Promise<void> {
  await weighStream(shop, 'export.csv, the first', apiRoutes.orderExport)
  await weighStream(shop, 'export.csv, once more', apiRoutes.orderExport)
  await weighStream(shop, 'the whole list', apiRoutes.orders)
  await weighStream(shop, 'all marks', apiRoutes.orderMarks)
}

async function weighStream(shop: BenchShop, title: string, path: string): Promise<void> {
  const before = shop.residentMb()
  let most = before
  let bytes = 0
  const started = performance.now()
  const answer = await shop.ask(path)
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    most = Math.max(most, shop.residentMb())
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const what = `${shop.size.toLocaleString('en')} orders, ${Math.round(bytes / 1e6)} MB in ${seconds} s`
  const memory = `server ${before} MB before, + ${most - before} MB at most`
  console.log(`  ${title.padEnd(34)}${what}; ${memory}`)
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
