// What is built, from what, and whether it still is. For run.mjs, before anything is installed: nothing but node: modules.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Each has a folder of its own in dist. */
export const buildSources = {
  pages: [
    'web',
    'contract',
    'vite.config.ts',
    'tools/precompress.ts',
    'tools/react-as-modules.ts',
    'tsconfig.base.json',
    'package-lock.json',
  ],
  server: [
    'server',
    'sandbox',
    'contract',
    'tools/bundle-server.ts',
    'tsconfig.base.json',
    'package.json',
    'package-lock.json',
  ],
}

/** Part of no build. */
const unbuiltFiles = /\.(test|spec)\.tsx?$|[\\/](testing|migrations)[\\/]/

export function isBuilt(part) {
  const stamp = join('dist', part, '.built')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(buildSources[part])
}

/** Changes with any of these files that can be part of a build, and with the platform. */
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
