import { parseArgs } from 'node:util'
import { benchOrders } from '#tools/bench/orders.ts'
import { benchPages } from '#tools/bench/pages.ts'
import {
  describeRun,
  formatMarkdownRows,
  formatTable,
  writeGenerated,
  type Row,
} from '#tools/bench/report.ts'
import { benchSales } from '#tools/bench/sales.ts'
import { benchScreens } from '#tools/bench/screens.ts'
import { createShops, type BenchOptions } from '#tools/bench/shop.ts'
import { benchSizes } from '#tools/bench/sizes.ts'
import { benchStart } from '#tools/bench/start.ts'

/*
 * `npm run bench` measures everything against the limit of this machine and writes docs/bench.md; `npm run bench -- sales` measures
 * one, in more detail, and only prints it. Nothing is asserted: times belong to the machine.
 */

const benches: Record<string, (options: BenchOptions) => Promise<Row[]>> = {
  // First, while nothing else runs.
  start: benchStart,
  sizes: benchSizes,
  // Before the small shop sells, which makes it larger.
  orders: benchOrders,
  screens: benchScreens,
  pages: benchPages,
  sales: benchSales,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Orders at a million too. */
    big: { type: 'boolean', default: false },
  },
})

const unknown = positionals.find((name) => !(name in benches))
if (unknown !== undefined)
  fail(`There is no bench "${unknown}". There are: ${Object.keys(benches).join(', ')}.`)

const isWhole = positionals.length === 0
const chosen = isWhole ? Object.keys(benches) : positionals
const shops = createShops()
const options = { shops, isWhole, isBig: values.big }
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void shops.close().finally(() => process.exit(1)))
const startedAt = performance.now()
const rows: Row[] = []
try {
  for (const name of chosen) {
    const found = (await benches[name]?.(options)) ?? []
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    console.log(`\n${name} (${seconds} s since the start)\n${formatTable(found)}`)
    rows.push(...found)
  }
  if (isWhole) {
    const took = `${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`
    const run = `${await describeRun(await shops.small())}; took ${took}`.replaceAll('; ', ';\n')
    writeGenerated('table', `${run}.\n\n${formatMarkdownRows(rows)}`)
  }
} finally {
  await shops.close()
}
process.exit(0)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
