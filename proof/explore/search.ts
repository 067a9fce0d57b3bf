import { getHeapStatistics } from 'node:v8'
import { hash } from 'node:crypto'
import type { SaleRecord, Loaded } from '#server/payments/record.ts'
import { checkClosure } from './closure.ts'
import { checkWorld } from './invariants.ts'
import { listMoves, type Rules } from './moves.ts'
import type { Run } from './tasks.ts'
import { guardOf, type World } from './world.ts'

/** Visits every world that can be reached, shortest way first, each once. */

/** `maxSeconds`: of one that may be too large to be visited as a whole. */
export type Bound = {
  name: string
  about: string
  start: World
  rules: Rules
  maxSeconds?: number
}

export type Found = { violation: string; trace: string[] }

type Explored = {
  states: number
  transitions: number
  closures: number
  seconds: number
  found: Found | undefined
  /** Whether every world was visited; if not, how many are known that were not. */
  isComplete: boolean
  unvisited: number
}

type Node = { parent: number; label: string }

export function explore(
  { start, rules }: Bound,
  {
    maxSeconds = Infinity,
    maxStates = Infinity,
    onVisit,
  }: { maxSeconds?: number; maxStates?: number; onVisit?: (world: World) => void } = {},
): Explored {
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  const nodes: Node[] = [{ parent: -1, label: 'start' }]
  const seen = new Set([keyOf(start)])
  const closed = new Set<string>()
  let frontier: { world: World; node: number }[] = [{ world: start, node: 0 }]
  let transitions = 0
  const done = (found?: Found, unvisited = 0): Explored => ({
    states: seen.size,
    transitions,
    closures: closed.size,
    seconds: seconds(),
    found,
    isComplete: unvisited === 0,
    unvisited,
  })
  const explain = (violation: string, node: number, label?: string): Found => ({
    violation,
    trace: [...listTrace(nodes, node), ...(label ? [label] : [])],
  })
  while (frontier.length > 0) {
    const next: typeof frontier = []
    for (const [visited, { world, node }] of frontier.entries()) {
      onVisit?.(world)
      const quiet = world.runs.length === 0 ? checkQuiet(world, closed) : undefined
      if (quiet) return done(explain(quiet, node))
      for (const move of listMoves(world, rules)) {
        transitions += 1
        const violation = move.violation ?? checkWorld(move.world)
        if (violation) return done(explain(violation, node, move.label))
        const key = keyOf(move.world)
        if (seen.has(key)) continue
        seen.add(key)
        nodes.push({ parent: node, label: move.label })
        next.push({ world: move.world, node: nodes.length - 1 })
      }
      const unvisited = frontier.length - visited - 1 + next.length
      const isOver = seconds() > maxSeconds || seen.size > maxStates || isMemoryFull(visited)
      if (isOver) return done(undefined, unvisited)
    }
    frontier = next
  }
  return done()
}

/** Looked at now and then: V8 would end the process with all that was found. */
function isMemoryFull(visited: number): boolean {
  if (visited % 1_000 !== 0) return false
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return used > 0.85 * limit
}

/** How a world without work in progress ends does not depend on what else might have happened. */
function checkQuiet(world: World, closed: Set<string>): string | undefined {
  const key = keyOf({ ...world, left: {}, screens: {}, tabs: {}, before: undefined })
  if (closed.has(key)) return undefined
  closed.add(key)
  return checkClosure(world)
}

function listTrace(nodes: Node[], last: number): string[] {
  const labels: string[] = []
  for (let at = last; at > 0; at = nodes[at]?.parent ?? 0) labels.push(nodes[at]?.label ?? '')
  return labels.toReversed()
}

/** Equal parts have equal numbers, so that keys are short. */
const numbers = new Map<string, number>()
const known = new WeakMap<object, number>()

function numberOf(part: object, describe: () => unknown = () => part): number {
  const found = known.get(part)
  if (found !== undefined) return found
  const text = JSON.stringify(describe())
  const number = numbers.get(text) ?? numbers.size
  numbers.set(text, number)
  known.set(part, number)
  return number
}

/** Versions only tell whether a record has changed since it was read: counted from now on, they are the same more often. */
function numberOfRecord(record: SaleRecord): number {
  return numberOf(record, () => ({
    ...record,
    sale: record.sale && { ...record.sale, version: 0 },
    payments: record.payments.map((one) => ({ ...one, version: 0 })),
  }))
}

function keyOf(world: World): string {
  const records = Object.keys(world.records).toSorted()
  const parts = [
    world.now,
    [world.merchantCode, ...world.outdated],
    records.map((id) => [id, numberOfRecord(world.records[id] as SaleRecord)]),
    numberOf(world.sumup),
    world.before ? [numberOf(world.before), world.changedAt] : 0,
    numberOf(world.tabs),
    numberOf(world.screens),
    numberOf(world.left),
    world.runs.map((run) => keyOfRun(world, run)).toSorted(),
  ]
  return hash('sha1', JSON.stringify(parts), 'base64url')
}

function keyOfRun(world: World, run: Run): string {
  const { task, merchantCode, answers, truths, isBlind, lastRecord } = run
  const id = lastRecord?.sale?.id ?? lastRecord?.payments[0]?.id ?? ''
  const current = world.records[id]
  const behind = lastRecord && current ? guardOf(current) - guardOf(lastRecord) : 0
  const said = answers.map((answer) => {
    if (typeof answer !== 'object' || answer === null) return answer ?? null
    if (!('record' in answer)) return numberOf(answer)
    const { record, now, ...rest } = answer as Loaded & { type?: string }
    return [numberOfRecord(record), now?.getTime(), rest.type]
  })
  const seen = truths.map((one) => numberOf(one))
  const parts = [numberOf(task), merchantCode, said, seen, isBlind, behind]
  return JSON.stringify(parts)
}
