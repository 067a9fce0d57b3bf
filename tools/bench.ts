import { benchStart } from '#tools/bench-start.ts'

/** Figures, printed and never asserted: `npm run bench` prints all, `npm run bench -- start` one. */
const benches: Record<string, () => Promise<void>> = { start: benchStart }

const chosen = process.argv.slice(2)
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
