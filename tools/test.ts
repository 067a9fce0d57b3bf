import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startTestServer } from '#tools/test-server.ts'
import { ensureBrowser } from '#tools/browser.ts'

/** Everything that must hold, in the order in which it fails fastest. `npm test -- path …` runs some files only. */
const chosen = process.argv.slice(2)
/** One more than the cores it is meant for: there is always one that waits. */
const filesAtOnce = 3
const shownSlowest = 8
/** By file, so that whoever makes the whole slow sees it. */
const seconds = new Map<string, number>()
const tally = { passed: 0, failed: 0, skipped: 0 }

const bin = (name: string) => join('node_modules', ...name.split('/'))
const typed = ['server', 'web', 'e2e', 'sandbox', 'sandbox/widget', 'proof']
const checks = [
  { title: 'format', args: [bin('oxfmt/bin/oxfmt'), '--check', '.'], cure: 'npm run format' },
  { title: 'lint', args: [bin('oxlint/bin/oxlint'), '--deny-warnings'], cure: undefined },
  ...typed.map((room) => ({
    title: `types of ${room}`,
    args: [bin('typescript/bin/tsc'), '-p', room],
    cure: undefined,
  })),
]

if (chosen.length === 0) for (const check of checks) await runCheck(check)

const files = findTests()
const needBrowser = files.some((file) => file.endsWith('.spec.ts'))
if (needBrowser) process.env.CHROMIUM_PATH = await ensureBrowser()

const folder = await mkdtemp(join(tmpdir(), 'till-test-'))
const server = await startTestServer(folder)
try {
  await runFiles(files)
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

if (tally.skipped > 0) console.log(`${tally.skipped} skipped`)
const slowest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, shownSlowest)
if (chosen.length === 0)
  for (const [file, took] of slowest) console.log(`${took.toFixed(0).padStart(4)} s  ${file}`)
console.log(`${tally.passed} passed, ${tally.failed} failed`)
process.exit(tally.failed > 0 || tally.passed === 0 ? 1 : 0)

function findTests(): string[] {
  const all = globSync(
    '{contract,server,sandbox,web,tools,e2e,proof}/**/*.{test,spec}.ts',
  ).toSorted()
  return chosen.length === 0
    ? all
    : all.filter((file) => chosen.some((part) => file.includes(part)))
}

async function runCheck({ title, args, cure }: (typeof checks)[number]): Promise<void> {
  const started = Date.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise((resolve) => child.on('close', resolve))
  const good = code === 0
  tally[good ? 'passed' : 'failed'] += 1
  console.log(
    `${good ? '✔' : '✖'} ${title} (${Date.now() - started} ms)${!good && cure ? `: ${cure}` : ''}`,
  )
}

type Tally = { passed: number; failed: number; skipped: number }

/**
 * A file that failed runs once more, by itself and in plain sight: a browser on a busy machine is late now and
 * then, and what is really broken fails again. What counts of a file is its last run.
 */
async function runFiles(paths: string[]): Promise<void> {
  const first = await runOnce(paths, filesAtOnce)
  const failed = [...first].filter(([, { failed: faults }]) => faults > 0).map(([file]) => file)
  if (failed.length > 0) console.log(`Once more, one by one: ${failed.join(', ')}`)
  const second = await runOnce(failed, 1)
  for (const of of new Map([...first, ...second]).values()) {
    tally.passed += of.passed
    tally.failed += of.failed
    tally.skipped += of.skipped
  }
}

async function runOnce(paths: string[], concurrency: number): Promise<Map<string, Tally>> {
  const files = new Map<string, Tally>()
  if (paths.length === 0) return files
  const count = (file: string | undefined, what: keyof Tally) => {
    const of = files.get(file ?? '') ?? { passed: 0, failed: 0, skipped: 0 }
    of[what] += 1
    files.set(file ?? '', of)
  }
  const tests = run({ files: paths, concurrency, timeout: 300_000 })
  tests.on('test:pass', ({ file, details, skip }) => {
    if (details.type !== 'suite') count(file, skip === undefined ? 'passed' : 'skipped')
  })
  tests.on('test:fail', ({ file, details }) => {
    if (details.type !== 'suite') count(file, 'failed')
  })
  tests.on('test:summary', ({ file, duration_ms: ms }) => {
    if (file) seconds.set(relative('.', file), ms / 1000)
  })
  for await (const text of tests.compose(spec)) process.stdout.write(String(text))
  return files
}
