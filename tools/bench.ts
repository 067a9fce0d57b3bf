import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { measures, openShops, type Figures } from '#tools/bench/measures.ts'
import { prepareShop } from '#tools/bench/shop.ts'

/*
 * `npm run bench` measures the shop of this folder; with --shop DIR, once or more, those of other folders, in turn: other
 * load on the machine affects all of them. Nothing is asserted: times belong to the machine.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A copy of the program, such as a worktree of another commit. */
    shop: { type: 'string', multiple: true, default: ['.'] },
  },
})
const unknown = positionals.find((name) => !(name in measures))
if (unknown !== undefined) {
  console.error(`There is no measure "${unknown}". There are: ${Object.keys(measures).join(', ')}.`)
  process.exit(1)
}

const [load = 0] = loadavg()
for (const folder of values.shop) prepareShop(folder)
const shops = values.shop.map(openShops)
const close = () => Promise.all(shops.map((shop) => shop.close()))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void close().finally(() => process.exit(1)))
try {
  console.log(describeRun())
  const chosen = positionals.length > 0 ? positionals : Object.keys(measures)
  for (const name of chosen) console.log(`\n${formatTable(await measureInTurn(name))}`)
} finally {
  await close()
}
process.exit(0)

/** The figures of each shop. */
async function measureInTurn(name: string): Promise<Figures[]> {
  const measure = measures[name]
  if (!measure) return []
  const { rounds, warmUps, prepare, complete = (figures) => figures } = measure
  const all: { measureRound: () => Promise<Figures>; found: Map<string, number[]> }[] = []
  for (const shop of shops) all.push({ measureRound: await prepare(shop), found: new Map() })
  for (let round = -warmUps; round < rounds; round += 1)
    for (const { measureRound, found } of all)
      for (const [what, figure] of Object.entries(await measureRound()))
        if (round >= 0) found.set(what, [...(found.get(what) ?? []), figure])
  return all.map(({ found }) =>
    complete(
      Object.fromEntries([...found].map(([what, figures]) => [what, combine(what, figures)])),
    ),
  )
}

/** Rates and times are the best of all rounds, since other load on the machine only worsens them; memory is the median. */
function combine(what: string, figures: number[]): number {
  if (what.endsWith('(a second)')) return Math.max(...figures)
  if (/\((ms|s)\)$/.test(what)) return Math.min(...figures)
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
}

/** In Markdown: a column for each shop, and beside the first how many times as much the others have. */
function formatTable(found: Figures[]): string {
  const [first = {}, ...others] = found
  const rows = Object.entries(first).map(([what, figure]) => [
    what,
    formatFigure(figure),
    ...others.flatMap(({ [what]: other = NaN }) => [
      formatFigure(other),
      (other / figure).toFixed(2),
    ]),
  ])
  const head = ['what', values.shop[0] ?? '', ...values.shop.slice(1).flatMap((dir) => [dir, '×'])]
  const table = [head, head.map(() => ''), ...rows]
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table
    .map((row, line) => {
      const cells = row.map((cell, column) =>
        cell.padEnd(widths[column] ?? 0, line === 1 ? '-' : ' '),
      )
      return `| ${cells.join(' | ')} |`
    })
    .join('\n')
}

/** Three digits say all that a measurement knows. */
function formatFigure(figure: number): string {
  return figure >= 100
    ? Math.round(figure).toLocaleString('en')
    : String(Number(figure.toPrecision(3)))
}

/** When, of which commits, and where: the machine is described, never named. */
function describeRun(): string {
  const commits = values.shop.map((folder) => `${folder}: ${describeCommit(folder)}`)
  return [
    new Date().toISOString().slice(0, 10),
    ...commits,
    `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB memory`,
    `Node ${process.versions.node}`,
    `load before the run ${load.toFixed(1)}`,
  ].join('; ')
}

function describeCommit(folder: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    const isChanged = git('status', '--porcelain', '--', ':!docs') !== ''
    return `commit ${git('rev-parse', '--short=10', 'HEAD')}${isChanged ? ' with changes' : ''}`
  } catch {
    return 'no repository'
  }
}
