import { Worker } from 'node:worker_threads'
import type { Bar } from '#tools/terminal.ts'
import { allBounds, mediumBounds, smallBounds } from './bounds.ts'
import { heldByTests, mutations, type Mutation } from './mutations.ts'
import { explore, type Found } from './search.ts'

/** `npm run proof -- explore`: every order of events in small worlds, or with each fix reverted. */

export function exploreBounds(
  { onProgress, print }: Bar,
  { isLong, only, maxSeconds }: { isLong: boolean; only: string[]; maxSeconds?: number },
): boolean {
  const named = allBounds.filter(({ name }) => only.includes(name))
  const all = isLong ? allBounds : [...smallBounds, ...mediumBounds]
  const chosen = only.length > 0 ? named : all
  if (chosen.length === 0) {
    print('  There is no such bound.')
    return false
  }
  let isProven = true
  // How many states a bound has is only known in the end.
  const show = (done: number, detail = '') =>
    onProgress({ step: '  bounds', done, total: chosen.length, detail })
  for (const [index, bound] of chosen.entries()) {
    show(index, bound.name)
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
  show(chosen.length)
  return isProven
}

export function describeFound({ violation, trace }: Found): string[] {
  return [`    ${violation}:`, ...trace.map((step, index) => `      ${index + 1}. ${step}`)]
}

type MutationResult = {
  bound: string
  found: Found | undefined
  seconds: number
  states: number
  isComplete: boolean
}

/** Explores with a fix reverted. Returns the last bound that was tried: the one that found it, if one did. */
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

export async function exploreMutations(
  { onProgress, print }: Bar,
  isTraced: boolean,
): Promise<boolean> {
  let isProven = true
  const show = (done: number) => onProgress({ step: '  mutations', done, total: mutations.length })
  for (const [index, mutation] of mutations.entries()) {
    show(index)
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
  show(mutations.length)
  print('  Held by tests:')
  for (const held of heldByTests) print(`  ${numbersOf(held)}${held.file}: ${held.title}`)
  return isProven
}
