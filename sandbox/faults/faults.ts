import { randomInt } from 'node:crypto'
import { faultPlanSchema, type FaultKind, type FaultPlan, type FaultRule } from './fault-rules.ts'

export type FaultReport = { seed: number; rules: (FaultRule & { happened: number })[] }
export type Fault<Kind extends FaultKind> = FaultRule & { kind: Kind }

export type Faults = {
  set(plan: FaultPlan): FaultReport
  clear(): void
  report(): FaultReport
  /** The first rule of these kinds that strikes this call, counted as happened. */
  take<Kind extends FaultKind>(
    on: string,
    kinds: readonly Kind[],
    subjects: readonly string[],
  ): Fault<Kind> | undefined
}

export function openFaults(): Faults {
  let report: FaultReport = { seed: 0, rules: [] }
  let draw = seededRandom(0)

  function set(plan: FaultPlan): FaultReport {
    const { seed = randomInt(2 ** 31), rules } = faultPlanSchema.parse(plan)
    report = { seed, rules: rules.map((rule) => ({ ...rule, happened: 0 })) }
    draw = seededRandom(seed)
    return structuredClone(report)
  }

  return {
    set,
    clear: () => void set({ rules: [] }),
    report: () => structuredClone(report),
    take<Kind extends FaultKind>(
      on: string,
      kinds: readonly Kind[],
      subjects: readonly string[],
    ): Fault<Kind> | undefined {
      const struck = report.rules.find(
        (rule) =>
          (rule.on === on || rule.on === '*') &&
          (kinds as readonly FaultKind[]).includes(rule.kind) &&
          (rule.checkout === undefined || subjects.includes(rule.checkout)) &&
          rule.happened < (rule.count ?? Infinity) &&
          (rule.probability === 1 || draw() < rule.probability),
      )
      if (struck === undefined) return undefined
      struck.happened += 1
      return struck as FaultRule as Fault<Kind>
    },
  }
}

/** Mulberry32: small, even, and the same everywhere. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
