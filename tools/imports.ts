import { globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'

type Import = {
  /** A file of this repository, or the name of a package. */
  target: string
  isFile: boolean
  /** Erased before the code runs. */
  isTypeOnly: boolean
}

/** `import … from`, `export … from`, `import 'x'` and `import('x')`. */
const importStatement =
  /^(?:import|export)\s+(type\s)?\s*(?:[\w*{][^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

export function listSourceFiles(): string[] {
  const folders = '{contract,server,sandbox,web,tools,e2e,proof}'
  return globSync(`${folders}/**/*.{ts,tsx}`).toSorted()
}

export function readImports(file: string): Import[] {
  return [...readFileSync(file, 'utf8').matchAll(importStatement)].map(
    ([, type, fixed, dynamic]) => ({
      ...resolveTarget(file, fixed ?? dynamic ?? ''),
      isTypeOnly: type !== undefined,
    }),
  )
}

function resolveTarget(file: string, specifier: string): { target: string; isFile: boolean } {
  if (specifier.startsWith('#')) return { target: specifier.slice(1), isFile: true }
  if (specifier.startsWith('.'))
    return { target: normalize(join(file, '..', specifier)), isFile: true }
  return { target: specifier, isFile: false }
}

const directDependencies = new Map<string, string[]>()

/** Every file that is loaded when this one runs, itself included. */
export function listDependencies(file: string): Set<string> {
  const found = new Set([file])
  // A set that grows while it is walked is walked to its end.
  for (const next of found) for (const target of readDirect(next)) found.add(target)
  return found
}

function readDirect(file: string): string[] {
  const known = directDependencies.get(file)
  if (known) return known
  const targets = /\.tsx?$/.test(file)
    ? readImports(file)
        .filter(({ isFile, isTypeOnly }) => isFile && !isTypeOnly)
        .map(({ target }) => target)
    : []
  directDependencies.set(file, targets)
  return targets
}
