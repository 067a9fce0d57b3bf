/* oxlint-disable no-console -- a command: what it finds out is for reading */
import { parseArgs } from 'node:util'
import { countOf, runChaos } from './chaos.ts'
import { proveModel } from './model/prove-model.ts'
import { describeChaos, describeFaults } from './report.ts'

/** Proofs that take longer than a test: `npm run proof -- chaos`, `npm run proof -- model`. Loopback only. */
const proofs: Record<string, () => Promise<boolean>> = { chaos: proveChaos, model }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    checkouts: { type: 'string', default: '1000' },
    concurrency: { type: 'string', default: '40' },
    seed: { type: 'string' },
    runs: { type: 'string', default: '10000' },
    naive: { type: 'boolean', default: false },
  },
})

const chosen = positionals.length > 0 ? positionals : Object.keys(proofs)
let isProven = true
for (const name of chosen) {
  const prove = proofs[name]
  if (!prove) {
    console.error(`There is no proof "${name}". There are: ${Object.keys(proofs).join(', ')}.`)
    process.exit(2)
  }
  console.log(`\n${name}`)
  isProven = (await prove()) && isProven
}
process.exit(isProven ? 0 : 1)

/** The real shop must have no fault; the naive one must have some, or the proof proves nothing. */
async function proveChaos(): Promise<boolean> {
  const report = await runChaos({
    kind: values.naive ? 'naive' : 'real',
    checkouts: wholeNumber(values.checkouts),
    concurrency: wholeNumber(values.concurrency),
    seed: values.seed === undefined ? Date.now() % 100_000 : wholeNumber(values.seed),
  })
  for (const line of describeChaos(report)) console.log(line)
  const found = countOf(report.faults)
  if (values.naive) return found > 0
  for (const line of describeFaults(report)) console.log(line)
  return found + report.crashes.length === 0
}

async function model(): Promise<boolean> {
  return proveModel(wholeNumber(values.runs))
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  console.error(`"${text}" is not a whole number above 0.`)
  process.exit(2)
}
