import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { listDependencies } from '#tools/imports.ts'

/*
 * `npm test` runs every check and every test file; `npm test -- part-of-a-path …` the test files whose path
 * contains one of the parts; `npm run check` the checks alone. PostgreSQL, the browser and the built pages are prepared only for files that use them.
 */

const cacheFolder = join('node_modules', '.cache')
const durationsFile = join(cacheFolder, 'test-durations.json')
const fileTimeoutMs = 300_000
const maxSlowFilesShown = 10
/** In a fresh clone no duration is recorded yet. */
const longFirst = ['proof/chaos', 'tools/start', 'crash-points', 'e2e/', 'server/uploads/']

const chosen = process.argv.slice(2)
const isOnlyChecks = chosen.includes('--only-checks')
const isWholeRun = chosen.length === 0
const durationsMs: Record<string, number> = readDurations()
const totals = { passed: 0, failed: 0, skipped: 0 }

process.env.NODE_COMPILE_CACHE ??= resolve(cacheFolder, 'compiled')
await mkdir(cacheFolder, { recursive: true })
const folder = await mkdtemp(join(tmpdir(), 'till-test-'))
await using resources = new AsyncDisposableStack()
resources.defer(() => rm(folder, { recursive: true, force: true }))

const files = listTestFiles()
await Promise.all([
  files.length > 0 ? runFiles(files) : undefined,
  isWholeRun || isOnlyChecks ? runChecks() : undefined,
])
await resources.disposeAsync()
writeFileSync(durationsFile, JSON.stringify(durationsMs))

if (isWholeRun) printSlowFiles()
if (totals.skipped > 0) console.log(`${totals.skipped} skipped`)
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed > 0 || totals.passed === 0 ? 1 : 0)

function listTestFiles(): string[] {
  const all = globSync('{contract,server,sandbox,web,tools,e2e,proof}/**/*.{test,spec}.ts')
  return isWholeRun ? all : all.filter((file) => chosen.some((part) => file.includes(part)))
}

async function runFiles(paths: string[]): Promise<void> {
  await prepareResources(paths)
  // Code of the contract and the browser keeps no state: one process is enough for all of it.
  const isPure = (file: string) => /^(contract|web)\//.test(file)
  const pure = paths.filter(isPure)
  const others = paths.filter((file) => !isPure(file)).toSorted(byDuration)
  const allPure = join(folder, 'contract-and-web.test.mjs')
  const lines = pure.map(importNamingFile)
  writeFileSync(allPure, lines.join('\n'))
  const tests = run({
    files: [...others, ...(pure.length > 0 ? [allPure] : [])],
    concurrency: availableParallelism() + 1,
    timeout: fileTimeoutMs,
  })
  tests.on('test:pass', ({ details, skip }) => {
    if (details.type !== 'suite') totals[skip === undefined ? 'passed' : 'skipped'] += 1
  })
  tests.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') totals.failed += 1
  })
  tests.on('test:summary', ({ file, duration_ms: ms }) => {
    const path = file && relative('.', file)
    if (path && others.includes(path)) durationsMs[path] = ms
  })
  for await (const text of tests.compose(spec)) process.stdout.write(String(text))
}

/** An error while a file is loaded would otherwise be reported for the file that imports them all. */
function importNamingFile(file: string): string {
  const url = JSON.stringify(pathToFileURL(resolve(file)).href)
  const message = JSON.stringify(`${file} cannot be loaded`)
  return `await import(${url}).catch((cause) => { throw new Error(${message}, { cause }) })`
}

/** The longest first, so that none is left alone at the end. New files may be long. */
function byDuration(a: string, b: string): number {
  return estimateMs(b) - estimateMs(a) || a.localeCompare(b)
}

function estimateMs(file: string): number {
  const rank = longFirst.findIndex((part) => file.includes(part))
  const guessMs = rank === -1 ? 5_000 : (longFirst.length - rank) * 20_000
  return durationsMs[file] ?? guessMs
}

async function prepareResources(paths: string[]): Promise<void> {
  const used = new Set(paths.flatMap(listDependenciesOf))
  const isUsed = (...modules: string[]) => modules.some((module) => used.has(getPath(module)))
  if (isUsed('server/http/web-files.ts', 'tools/running-shop.ts', 'tools/checkout-size.test.ts'))
    await buildPages()
  const starting: Promise<void>[] = []
  if (isUsed('server/testing/test-database.ts')) starting.push(startPostgres())
  if (paths.some((file) => file.endsWith('.spec.ts'))) starting.push(startBrowser())
  await Promise.all(starting)
}

function listDependenciesOf(file: string): string[] {
  try {
    return [...listDependencies(file)]
  } catch (cause) {
    throw new Error(`${file} imports a file that cannot be read`, { cause })
  }
}

/** A module that was moved must not end in tests that are run without what they need. */
function getPath(path: string): string {
  if (!existsSync(path)) throw new Error(`tools/test.ts names ${path}, which does not exist`)
  return path
}

async function buildPages(): Promise<void> {
  if ((await runNode(['run.mjs', 'build'])) !== 0) process.exit(1)
}

async function startPostgres(): Promise<void> {
  const { startTestPostgres } = await import('#tools/testing/postgres.ts')
  const server = await startTestPostgres(folder)
  resources.defer(() => server.stop())
}

async function startBrowser(): Promise<void> {
  const { ensureBrowser, launchSharedBrowser } = await import('#tools/browser.ts')
  process.env.CHROMIUM_PATH = await ensureBrowser()
  const browser = await launchSharedBrowser(process.env.CHROMIUM_PATH)
  process.env.TILL_TEST_BROWSER = browser.wsEndpoint()
  resources.defer(() => browser.close())
}

async function runChecks(): Promise<void> {
  const bin = (path: string) => join('node_modules', ...path.split('/'))
  await runCheck('format', [bin('oxfmt/bin/oxfmt'), '--check', '.'], 'npm run format')
  await runCheck('lint', [bin('oxlint/bin/oxlint'), '--deny-warnings'])
  for (const project of ['server', 'web', 'e2e', 'sandbox', 'sandbox/widget', 'proof']) {
    const state = join(cacheFolder, `types-${project.replace('/', '-')}.tsbuildinfo`)
    const args = ['-p', project, '--incremental', '--tsBuildInfoFile', state]
    await runCheck(`types of ${project}`, [bin('typescript/bin/tsc'), ...args])
  }
}

async function runCheck(title: string, args: string[], hint?: string): Promise<void> {
  const started = Date.now()
  const isGood = (await runNode(args)) === 0
  totals[isGood ? 'passed' : 'failed'] += 1
  const suffix = !isGood && hint ? `: ${hint}` : ''
  console.log(`${isGood ? '✔' : '✖'} ${title} (${Date.now() - started} ms)${suffix}`)
}

async function runNode(args: string[]): Promise<number | null> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((done) => child.on('close', done))
}

function readDurations(): Record<string, number> {
  return existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, 'utf8')) : {}
}

function printSlowFiles(): void {
  const slowest = files.filter((file) => durationsMs[file]).toSorted(byDuration)
  for (const file of slowest.slice(0, maxSlowFilesShown)) {
    const seconds = (durationsMs[file] ?? 0) / 1000
    console.log(`${seconds.toFixed(0).padStart(4)} s  ${file}`)
  }
}
