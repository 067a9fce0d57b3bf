import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { mutations } from './mutations.ts'

/** A thread whose modules are the shop's without one fix. */

const { name, maxSeconds } = workerData as { name: string; maxSeconds: number }
const mutation = mutations.find((one) => one.name === name)
if (!mutation) throw new Error(`there is no mutation "${name}"`)
const path = join(import.meta.dirname, '..', '..', mutation.file)
const source = readFileSync(path, 'utf8')
const found = source.split(mutation.search).length - 1
if (found !== 1) throw new Error(`"${mutation.search}" is ${found} times in ${mutation.file}`)
const url = pathToFileURL(path).href

registerHooks({
  load(wanted, context, nextLoad) {
    if (wanted !== url) return nextLoad(wanted, context)
    return {
      format: 'module-typescript',
      // A function, since `$` means something in a replacement text.
      source: source.replace(mutation.search, () => mutation.replace),
      shortCircuit: true,
    }
  },
})

const { allBounds } = await import('./bounds.ts')
const { explore } = await import('./search.ts')
for (const bound of mutation.bounds) {
  const chosen = allBounds.find((one) => one.name === bound)
  if (!chosen) throw new Error(`there is no bound "${bound}"`)
  const { found, seconds, states, isComplete } = explore(chosen, { maxSeconds })
  parentPort?.postMessage({ bound, found, seconds, states, isComplete }, [])
  if (found) break
}
