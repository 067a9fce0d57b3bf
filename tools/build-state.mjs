// What the pages are built from, and whether they still are. For run.mjs, before anything is installed: nothing but node: modules.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const pageSources = [
  'web',
  'contract',
  'vite.config.ts',
  'tools/precompress.ts',
  'tsconfig.json',
  'package-lock.json',
]

/** Part of no page. */
const unbuiltFiles = /\.(test|spec)\.tsx?$|[\\/]testing[\\/]/

export function arePagesBuilt() {
  const stamp = join('dist', 'pages', '.built')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(pageSources)
}

/** Changes with any of these files that can be part of a page, and with the platform. */
export function fingerprint(paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const path of paths.flatMap(listFiles)) hash.update(`\n${path}\n`).update(readFileSync(path))
  return hash.digest('hex')
}

function listFiles(path) {
  if (!statSync(path).isDirectory()) return unbuiltFiles.test(path) ? [] : [path]
  return readdirSync(path)
    .toSorted()
    .flatMap((entry) => listFiles(join(path, entry)))
}
