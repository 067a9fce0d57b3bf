import { Worker } from 'node:worker_threads'
import { allBounds, mediumBounds, smallBounds } from './bounds.ts'
import { heldByTests, mutations, type Mutation } from './mutations.ts'
import { explore, type Found } from './search.ts'

/** `npm run proof -- explore`: every order of events in small worlds, or every mend taken back. */

type Print = (line: string) => void

export function exploreBounds(
  print: Print,
  { isLong, only, maxSeconds }: { isLong: boolean; only: string[]; maxSeconds?: number },
): boolean {
  const named = allBounds.filter(({ name }) => only.includes(name))
  const all = isLong ? allBounds : [...smallBounds, ...mediumBounds]
  const chosen = only.length > 0 ? named : all
  let isProven = chosen.length > 0
  for (const bound of chosen) {
    const limit = maxSeconds ?? bound.maxSeconds
    const explored = explore(bound, limit === undefined ? {} : { maxSeconds: limit })
    const { states, transitions, closures, seconds, found, isComplete, unvisited } = explored
    const count = (number: number) => number.toLocaleString('en')
    print(
      `  ${bound.name}: ${bound.about}\n    ${count(states)} states, ${count(transitions)} transitions, ` +
        `${count(closures)} quiet ends, ${seconds.toFixed(1)} s`,
    )
    if (!isComplete)
      print(
        `    NOT COMPLETE: ${count(unvisited)} of these states were not visited, nor what follows them`,
      )
    if (found) for (const line of describeFound(found)) print(line)
    isProven &&= isComplete && !found
  }
  return isProven
}

export function describeFound({ violation, trace }: Found): string[] {
  return [`    ${violation}:`, ...trace.map((step, index) => `      ${index + 1}. ${step}`)]
}

export type MutationResult = {
  bound: string
  found: Found | undefined
  seconds: number
  states: number
  isComplete: boolean
}

/** Explores with a mend taken back. Returns the last bound that was tried: the one that found it, if one did. */
export async function exploreMutation(
  { name }: Pick<Mutation, 'name'>,
  { maxSeconds = 600 }: { maxSeconds?: number } = {},
): Promise<MutationResult> {
  const worker = new Worker(new URL('./mutated-worker.ts', import.meta.url), {
    workerData: { name, maxSeconds },
  })
  let last: MutationResult | undefined
  worker.on('message', (message: MutationResult) => (last = message))
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => resolve())
  })
  if (!last) throw new Error(`"${name}" was not explored`)
  return last
}

function numbersOf({ situations }: { situations: number[] }): string {
  return situations.length > 0 ? `${situations.join(', ')}. ` : ''
}

export async function exploreMutations(print: Print, isTraced: boolean): Promise<boolean> {
  let isProven = true
  for (const mutation of mutations) {
    const { bound, found, states, seconds, isComplete } = await exploreMutation(mutation)
    const result = found
      ? `${bound} found it after ${states.toLocaleString('en')} states, ${seconds.toFixed(1)} s, in ${found.trace.length} steps: ${found.violation}`
      : isComplete
        ? 'NOT FOUND'
        : `NOT COMPLETE: ${bound} was stopped after ${states.toLocaleString('en')} states, ${seconds.toFixed(1)} s`
    print(`  ${numbersOf(mutation)}${mutation.name}\n      ${result}`)
    if (found && isTraced) for (const line of describeFound(found)) print(line)
    isProven &&= found !== undefined
  }
  print('  Held by tests:')
  for (const held of heldByTests) print(`  ${numbersOf(held)}${held.file}: ${held.title}`)
  return isProven
}
