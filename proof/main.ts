import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { showBar, showProgress, type Bar } from '#tools/terminal.ts'
import { proveRestore } from './restore.ts'
import { countFaults, describeChaos, describeFaults, runChaos } from './chaos/chaos.ts'
import { exploreBounds, exploreMutations } from './explore/run.ts'
import { proveImage } from './image.ts'
import { MissingProgram } from './machines.ts'
import { proveNodes } from './nodes.ts'
import { runTestFiles } from './test-files.ts'

/**
 * Proofs that take longer than a test: `npm run proof -- explore`, `… chaos`, `… crashes`, `… attack`, `… restore`,
 * `… nodes`, `… image`. Loopback only, but for what the image installs. They show a bar on a terminal.
 */
const proofs: Record<string, () => Promise<boolean>> = {
  explore: proveExploration,
  chaos: proveChaos,
  crashes: proveCrashes,
  attack: proveAttack,
  restore: () => proveRestore(parseCount(values.orders), showIndentedBar()),
  nodes: () => withPrograms(() => proveNodes(showBar(), parseSeed())),
  image: () => withPrograms(() => proveImage(showIndentedBar())),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    checkouts: { type: 'string' },
    /** Ten times as many buyers; of explore also the largest worlds. */
    long: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '40' },
    /** How many servers the shop of chaos has. */
    nodes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** How many the shop has that is backed up. */
    orders: { type: 'string', default: '100000' },
    /** Runs chaos against a shop that trusts the browser: its faults must be found. */
    naive: { type: 'boolean', default: false },
    /** Names of worlds to explore. */
    bound: { type: 'string', multiple: true, default: [] },
    /** Reverts one fix after the other: the exploration must report a violation each time. */
    mutations: { type: 'boolean', default: false },
    /** Prints how each violation came about. */
    traces: { type: 'boolean', default: false },
  },
})

/** They need programs that are not everywhere, so they only run when asked for. */
const onRequest = ['nodes', 'image']
const chosen =
  positionals.length > 0
    ? positionals
    : Object.keys(proofs).filter((name) => !onRequest.includes(name))
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

/** The real shop must have no fault, the naive one some: otherwise the proof would find nothing. */
async function proveChaos(): Promise<boolean> {
  const progress = showProgress()
  const report = await runChaos({
    kind: values.naive ? 'naive' : 'real',
    checkouts: parseCount(values.checkouts ?? (values.long ? '10000' : '1000')),
    nodes: parseCount(values.nodes),
    concurrency: parseCount(values.concurrency),
    seed: parseSeed(),
    pace: 'by time',
    onProgress: (done, total) => progress({ step: '  visitors', done, total }),
    onWaiting: (line) => console.log(`  ${line}`),
  })
  for (const line of describeChaos(report)) console.log(line)
  const found = countFaults(report.faults)
  if (values.naive) return found > 0
  for (const line of describeFaults(report)) console.log(line)
  return found + report.crashes.length === 0
}

/** Every order of events in small worlds: `--long` also in the largest, `--bound card+` in one of them, `--mutations`. */
async function proveExploration(): Promise<boolean> {
  if (values.mutations) return exploreMutations(showBar(), values.traces)
  return exploreBounds(showBar(), { isLong: values.long, only: values.bound })
}

/** Every story of every crash point, with each caller that can reach it. */
function proveCrashes(): Promise<boolean> {
  const folder = join(import.meta.dirname, '..', 'server', 'checkouts')
  const files = ['crash-points-opening.test.ts', 'crash-points.test.ts']
  return runTestFiles(
    files.map((file) => join(folder, file)),
    ['--all'],
    showIndentedBar(),
  )
}

/** What strangers can send: to every route, into every field, and as files. */
function proveAttack(): Promise<boolean> {
  const args = ['--full', ...(values.seed === undefined ? [] : ['--seed', values.seed])]
  return runTestFiles([join(import.meta.dirname, 'attack.test.ts')], args, showIndentedBar())
}

/** For lines that stand under the name of the proof. */
function showIndentedBar(): Bar {
  const { onProgress, print } = showBar()
  return { onProgress, print: (line) => print(`  ${line}`) }
}

/** Says which programs are missing. */
async function withPrograms(prove: () => Promise<boolean>): Promise<boolean> {
  try {
    return await prove()
  } catch (error) {
    if (!(error instanceof MissingProgram)) throw error
    console.error(`  ${error.message}`)
    return false
  }
}

function parseSeed(): number {
  return values.seed === undefined ? 1 + (Date.now() % 100_000) : parseCount(values.seed)
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  console.error(`"${text}" is not a whole number above 0.`)
  process.exit(2)
}
