import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { findPostgresVersion, type BenchShop } from '#tools/bench/shop.ts'

/** One line of the table. All texts are ready to be read, with their units. */
export type Row = {
  what: string
  measured: string
  /** What this machine can do at most, or the same with little data, measured in the same run. */
  limit?: string
  ratio?: number
  aim?: string
  isMet?: boolean
  /** On 2026-11-14, before the work on speed began. */
  before?: string
}

export const documentFile = 'docs/bench.md'
const columns = ['what', 'measured', 'limit beside it', 'ratio', 'aim', 'met', 'before'] as const

function toCells({ what, measured, limit = '', ratio, aim = '', isMet, before = '' }: Row) {
  const met = isMet === undefined ? '' : isMet ? 'yes' : 'no'
  return [what, measured, limit, ratio === undefined ? '' : ratio.toFixed(2), aim, met, before]
}

/** For a terminal: columns side by side, those that no row fills left out. */
export function formatTable(rows: Row[]): string {
  const table = [columns.map(String), ...rows.map(toCells)]
  const used = columns.flatMap((_, column) =>
    table.slice(1).some((cells) => cells[column]) ? [column] : [],
  )
  const widths = used.map((column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)))
  return table
    .map((cells) =>
      used
        .map((column, index) => (cells[column] ?? '').padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function formatMarkdownTable(head: readonly string[], rows: string[][]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export function formatMarkdownRows(rows: Row[]): string {
  return formatMarkdownTable(columns, rows.map(toCells))
}

/** Replaces what stands between the marks of this part; everything else stays as it was written. */
export function replaceGenerated(document: string, part: string, content: string): string {
  const [start, end] = [`<!-- generated: ${part} -->`, `<!-- end of ${part} -->`]
  const [from, to] = [document.indexOf(start), document.indexOf(end)]
  if (from < 0 || to < from)
    throw new Error(`${documentFile} has no "${start}" with "${end}" after it.`)
  return `${document.slice(0, from + start.length)}\n\n${content.trim()}\n\n${document.slice(to)}`
}

export function writeGenerated(part: string, content: string): void {
  const document = replaceGenerated(readFileSync(documentFile, 'utf8'), part, content)
  writeFileSync(documentFile, document)
  spawnSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', documentFile], { stdio: 'inherit' })
  console.log(`\nWritten to ${documentFile}.`)
}

/** When, where and of which state of the code. The machine is described, never named. */
export async function describeRun(shop: BenchShop): Promise<string> {
  const postgres = await findPostgresVersion(shop)
  const isChanged = git('status', '--porcelain', '--', ':!docs') !== ''
  const commit = `${git('rev-parse', '--short=10', 'HEAD')}${isChanged ? ' with changes' : ''}`
  return [
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}`,
    `${availableParallelism()} cores (${findCpuModel()}), ${Math.round(totalmem() / 2 ** 30)} GB memory`,
    `Node ${process.versions.node}, PostgreSQL ${postgres}`,
    `load before the run ${startLoad?.toFixed(1)}`,
  ].join('; ')
}

const [startLoad] = loadavg()

function git(...args: string[]): string {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

/** Node does not know the names of ARM's. */
function findCpuModel(): string {
  const [model] = cpus().map((cpu) => cpu.model.trim())
  if (model && model !== 'unknown') return model
  const { stdout } = spawnSync('lscpu', { encoding: 'utf8', env: { PATH: process.env.PATH } })
  return /^Model name:\s+(.+)$/m.exec(stdout ?? '')?.[1]?.trim() ?? process.arch
}
