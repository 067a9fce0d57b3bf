import { benchAnalytics } from '#tools/bench/analytics.ts'
import { benchOrders } from '#tools/bench/orders.ts'
import { benchPages } from '#tools/bench/pages.ts'
import { benchSales } from '#tools/bench/sales.ts'
import { benchScroll } from '#tools/bench/scroll.ts'
import { benchStart } from '#tools/bench/start.ts'

/** `npm run bench -- orders --big`: at a million orders too, which takes some minutes. */
const isBig = process.argv.includes('--big')

/** Figures, printed and never asserted: `npm run bench` prints all, `npm run bench -- start` one. */
const benches: Record<string, () => Promise<void>> = {
  start: benchStart,
  orders: () => benchOrders({ isBig }),
  pages: benchPages,
  sales: benchSales,
  scroll: benchScroll,
  analytics: benchAnalytics,
}

const chosen = process.argv.slice(2).filter((arg) => arg !== '--big')
const unknown = chosen.find((name) => !(name in benches))
if (unknown) {
  console.error(`There is no bench "${unknown}". There are: ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  console.log(`\n${name}`)
  await bench()
}
process.exit(0)
