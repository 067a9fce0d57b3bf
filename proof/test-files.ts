import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import type { Bar } from '#tools/terminal.ts'
import { startTestPostgres } from '#tools/testing/postgres.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

/* Proofs that are the long form of a test file. They get a PostgreSQL as in `npm test`. */

/** With a bar of the tests in each file. */
export function runTestFiles(paths: string[], args: string[], bar: Bar): Promise<boolean> {
  return withPostgres(async (stopping) => {
    let isGood = true
    for (const path of paths)
      if (!stopping.aborted) isGood = (await countTests(path, args, bar, stopping)) && isGood
    return isGood
  })
}

async function countTests(
  path: string,
  args: string[],
  { onProgress, print }: Bar,
  signal: AbortSignal,
): Promise<boolean> {
  const step = `  ${basename(path, '.test.ts')}`
  const tests = run({ files: [path], argv: args, signal })
  let total = 0
  let done = 0
  let isGood = true
  const show = () => onProgress({ step, done, total: Math.max(total, 1) })
  tests.on('test:enqueue', ({ type }) => {
    if (type === 'test') total += 1
    show()
  })
  tests.on('test:complete', ({ details }) => {
    if (details.type === 'test') done += 1
    isGood &&= details.passed
    show()
  })
  for await (const text of tests.compose(spec)) print(String(text).replace(/\n$/, ''))
  return isGood
}

/** A signal ends the tests, then the database, then the proofs. */
async function withPostgres(prove: (stopping: AbortSignal) => Promise<boolean>): Promise<boolean> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of signals) process.once(signal, stop)
  const folder = await mkdtemp(join(tmpdir(), 'till-proof-'))
  const server = await startTestPostgres(folder)
  try {
    return await prove(stopping.signal)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    for (const signal of signals) process.off(signal, stop)
    if (stopping.signal.aborted) process.exit(130)
  }
}
