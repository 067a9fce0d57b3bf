import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { listDependencies } from '#tools/imports.ts'
import { longTests } from '#tools/long-tests.ts'

/*
 * `npm test` runs the checks and the test files that are not long; `npm test -- part-of-a-path …` the test files whose
 * path contains one of the parts, long or not; `npm run check` the checks alone. `npm run test:all` runs everything,
 * with `-- --rest` what `npm test` leaves out, with `-- --shard=1/3` the first third of the files. PostgreSQL, the
 * browser and the built pages are prepared only for files that use them.
 */

const cacheFolder = join('node_modules', '.cache')
const durationsFile = join(cacheFolder, 'test-durations.json')
/** The longest file, a story in another browser, takes four minutes on a busy machine. */
const fileTimeoutMs = 900_000
/** Limits all files that share a process; each has its own limit too. */
const processTimeoutMs = 2_400_000
const concurrency = availableParallelism() + 1
/** Files of one kind share processes, since loading the shop's modules takes a second of CPU: so many for each at once. */
const processesPerSlot = 5
const minProcessMs = 20_000
const maxSlowFilesShown = 20
/** Stands in for durations in a fresh clone, where none is recorded yet. */
const guessesMs: [part: string, ms: number][] = [
  ['firefox-blocked', 15_000],
  ['e2e/engines/', 150_000],
  ['e2e/other-methods', 80_000],
  ['tools/start', 70_000],
  ['proof/chaos', 60_000],
  ['crash-points', 30_000],
  ['e2e/', 20_000],
  ['server/uploads/', 10_000],
  ['server/db/embedded/', 10_000],
  ['', 3_000],
]

/** Files that start and kill processes, or count what theirs does. */
const aloneParts = ['tools/', 'proof/', 'embedded', 'crash-points', 'checkouts/statements']

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'))
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const [isOnlyChecks, isAll, isRest] = ['--only-checks', '--all', '--rest'].map((option) =>
  options.includes(option),
)
const [, shard = 1, shards = 1] = /--shard=(\d+)\/(\d+)/.exec(options.join(' '))?.map(Number) ?? []
const isWholeRun = chosen.length === 0 && !isOnlyChecks
const unknownOption = options.find(
  (option) => !/^--(only-checks|all|rest|shard=\d+\/\d+)$/.test(option),
)
if (unknownOption) throw new Error(`There is no option ${unknownOption}.`)
const durationsMs: Record<string, number> = readDurations()
let passedCount = 0
let failedCount = 0
/** How many tests were skipped for which reason: printed at the end, where it is seen. */
const skipped = new Map<string, number>()
/** Names of checks, printed again at the end as Node prints failed tests. */
const failedChecks: string[] = []

process.env.NODE_COMPILE_CACHE ??= resolve(cacheFolder, 'compiled')
await mkdir(cacheFolder, { recursive: true })
await removeLeftFolders()
const folder = await makeFolder()
await using resources = new AsyncDisposableStack()
resources.defer(() => rm(folder, { recursive: true, force: true }))
const stopping = stopOnSignals()

const files = listTestFiles()
// Traces of stories that failed are kept until stories run again.
if (files.some(isStory)) await rm('.traces', { recursive: true, force: true })
await Promise.all([
  files.length > 0 ? runFiles(files) : undefined,
  isOnlyChecks || (isWholeRun && !isRest && shard === 1) ? runChecks() : undefined,
])
await resources.disposeAsync()
writeFileSync(durationsFile, JSON.stringify(durationsMs))

if (isWholeRun) printSlowFiles()
for (const [reason, count] of skipped) console.log(`${count} skipped: ${reason}`)
for (const check of failedChecks) console.log(`✖ ${check}`)
console.log(`${passedCount} passed, ${failedCount} failed`)
const isGood = failedCount === 0 && passedCount > 0 && !stopping.aborted
process.exit(isGood ? 0 : 1)

/** Makes the folder of this run, with whatever tests leave in it; other users, whom some tests play, may enter. */
async function makeFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), `till-tests-${process.pid}-`))
  await chmod(made, 0o711)
  process.env.TMPDIR = made
  return made
}

/** Removes what killed runs left. A PostgreSQL whose folder is gone notices it within a minute, and ends. */
async function removeLeftFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^till-tests-(\d+)-/.exec(name) ?? []
    if (pid && !isRunning(Number(pid)))
      await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The first signal, or the end of the launcher, ends the tests and tidies up; a second signal ends this process at once. */
function stopOnSignals(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => controller.abort())
  process.once('disconnect', () => controller.abort())
  return controller.signal
}

function listTestFiles(): string[] {
  if (isOnlyChecks) return []
  const all = globSync('{contract,server,sandbox,web,tools,e2e,proof}/**/*.{test,spec}.ts')
  for (const beginning of longTests)
    if (!all.some((file) => file.startsWith(beginning)))
      throw new Error(`tools/long-tests.ts names ${beginning}, where there is no test`)
  for (const part of [...guessesMs.map(([one]) => one), ...aloneParts])
    if (!all.some((file) => file.includes(part)))
      throw new Error(`tools/test.ts names ${part}, where there is no test`)
  const wanted = all.filter((file) => {
    if (!isWholeRun) return chosen.some((part) => file.includes(part))
    const isLong = longTests.some((beginning) => file.startsWith(beginning))
    return isRest ? isLong : isAll || !isLong
  })
  return wanted.toSorted(byDuration)
}

async function runFiles(paths: string[]): Promise<void> {
  await prepareResources(paths)
  const tests = run({
    // The longest are dealt out first, so that each shard gets its share of them.
    files: planProcesses(paths),
    shard: { index: shard, total: shards },
    concurrency,
    timeout: processTimeoutMs,
    signal: stopping,
  })
  tests.on('test:pass', ({ name, nesting, details, skip }) => {
    const isFile = nesting === 0 && paths.includes(name)
    if (isFile) durationsMs[name] = details.duration_ms
    else if (details.type === 'suite') return
    else if (skip === undefined) passedCount += 1
    else countSkipped(typeof skip === 'string' ? skip : 'no reason is given')
  })
  tests.on('test:summary', ({ file, duration_ms: ms }) => {
    const path = file && relative('.', file)
    if (path && paths.includes(path)) durationsMs[path] = ms
  })
  tests.on('test:fail', ({ details: { type, error } }) => {
    const isCountedBelow = 'failureType' in error && error.failureType === 'subtestsFailed'
    if (type !== 'suite' && !isCountedBelow) failedCount += 1
  })
  for await (const text of tests.compose(spec)) process.stdout.write(String(text))
}

function countSkipped(reason: string): void {
  skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
}

/** The programs to run, the longest first, so that none is left alone at the end. */
function planProcesses(paths: string[]): string[] {
  const kinds = Object.entries(Object.groupBy(paths, getKind))
  const shareMs = sumEstimates(paths) / (concurrency * processesPerSlot)
  const processMs = Math.max(shareMs, minProcessMs)
  const shared = kinds.flatMap(([kind, group]) =>
    divide(kind, group, processMs).map((part, number) => ({
      program: part.length === 1 ? String(part) : writeProgram(`${kind}-${number}`, part),
      ms: sumEstimates(part),
    })),
  )
  return shared.toSorted((a, b) => b.ms - a.ms).map(({ program }) => program)
}

/** Files of one kind share nothing but modules. */
function getKind(file: string): 'alone' | 'waiting' | 'browser' | 'server' | 'pure' {
  if (aloneParts.some((part) => file.includes(part))) return 'alone'
  if (file.startsWith('e2e/engines/')) return 'waiting'
  if (isStory(file)) return 'browser'
  return /^(contract|web)\//.test(file) ? 'pure' : 'server'
}

/** A story is a test in a browser. */
function isStory(file: string): boolean {
  return file.endsWith('.spec.ts')
}

/** Stories that wait for lost networks half of their time run one after the other, beside tests that compute. */
function divide(kind: string, group: string[], partMs: number): string[][] {
  if (kind === 'waiting') return [group]
  return kind === 'alone' ? group.map((file) => [file]) : split(group, partMs)
}

/** Parts that take about this time each. */
function split(group: string[], partMs: number): string[][] {
  const count = Math.ceil(sumEstimates(group) / partMs)
  const parts = Array.from({ length: count }, (): string[] => [])
  for (const file of group.toSorted(byDuration))
    parts.toSorted((a, b) => sumEstimates(a) - sumEstimates(b))[0]?.push(file)
  return parts.filter((part) => part.length > 0)
}

/** Runs one file after the other, each as a test that closes what the file opened. */
function writeProgram(name: string, paths: string[]): string {
  const program = join(folder, `${name}.test.mjs`)
  const lines = paths.map((file) => {
    const url = JSON.stringify(pathToFileURL(resolve(file)).href)
    return `test(${JSON.stringify(file)}, { timeout: ${fileTimeoutMs} }, () => import(${url}))`
  })
  writeFileSync(program, ["import { test } from 'node:test'", ...lines].join('\n'))
  return program
}

function byDuration(a: string, b: string): number {
  return estimateMs(b) - estimateMs(a) || a.localeCompare(b)
}

function estimateMs(file: string): number {
  const [, guessMs = 0] = guessesMs.find(([part]) => file.includes(part)) ?? []
  return durationsMs[file] ?? guessMs
}

function sumEstimates(paths: string[]): number {
  return paths.reduce((sum, file) => sum + estimateMs(file), 0)
}

async function prepareResources(paths: string[]): Promise<void> {
  const used = new Set(paths.flatMap(listDependenciesOf))
  const isUsed = (...modules: string[]) => modules.some((module) => used.has(getPath(module)))
  if (isUsed('server/http/web-files.ts', 'server/testing/running-shop.ts')) await buildPages()
  const starting: Promise<void>[] = []
  if (isUsed('server/testing/test-database.ts')) starting.push(startPostgres())
  if (paths.some(isStory)) starting.push(startBrowser())
  for (const engine of ['firefox', 'webkit'] as const)
    if (paths.some((file) => file.startsWith(`e2e/engines/${engine}`)))
      starting.push(ensureOtherEngine(engine))
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

/** Installs the browser; specs start it themselves. */
async function ensureOtherEngine(engine: 'firefox' | 'webkit'): Promise<void> {
  const { ensureEngine } = await import('#tools/engines.ts')
  ensureEngine(engine)
}

async function runChecks(): Promise<void> {
  const bin = (path: string) => join('node_modules', ...path.split('/'))
  await runCheck('format', [bin('oxfmt/bin/oxfmt'), '--check', '.'], 'npm run format')
  await runCheck('lint', [bin('oxlint/bin/oxlint'), '--deny-warnings'])
  const programs = { node: '.', web: 'web', e2e: 'e2e', widget: 'sandbox/widget' }
  for (const [name, project] of Object.entries(programs)) {
    const state = join(cacheFolder, `types-${name}.tsbuildinfo`)
    const args = ['-p', project, '--incremental', '--tsBuildInfoFile', state]
    await runCheck(`types of ${name}`, [bin('typescript/bin/tsc'), ...args])
  }
}

async function runCheck(title: string, args: string[], hint?: string): Promise<void> {
  const started = Date.now()
  const isGood = (await runNode(args)) === 0
  const suffix = !isGood && hint ? `: ${hint}` : ''
  if (isGood) passedCount += 1
  else {
    failedCount += 1
    failedChecks.push(`${title}${suffix}`)
  }
  console.log(`${isGood ? '✔' : '✖'} ${title} (${Date.now() - started} ms)${suffix}`)
}

async function runNode(args: string[]): Promise<number | null> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    signal: stopping,
  })
  // A stopped child closes all the same.
  child.on('error', () => {})
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
