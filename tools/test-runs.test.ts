import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'

const runner = (...chosen: string[]) => ['tools/test.ts', ...chosen]
/** Of a run of its own: within a test, Node would run no others. */
const environment = (folder: string) => ({
  ...process.env,
  NODE_TEST_CONTEXT: undefined,
  TMPDIR: folder,
})

test('what a killed test run has left is removed by the next, and what a running one uses stays', () => {
  const folder = temporaryFolder()
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const [left, used] = [`till-tests-${ended}-a`, `till-tests-${process.pid}-b`]
  for (const name of [left, used, 'of-others'])
    mkdirSync(join(folder, name, 'postgres'), { recursive: true })
  const { status } = spawnSync(process.execPath, runner('contract/money'), {
    env: environment(folder),
  })
  assert.equal(status, 0)
  assert.deepEqual(readdirSync(folder).toSorted(), ['of-others', used])
})

test('a test run that is told to stop ends what it started and leaves nothing', async () => {
  const folder = temporaryFolder()
  const run = spawn(process.execPath, runner('server/db/plans'), {
    env: environment(folder),
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => run.on('close', resolve))
  const hasDatabase = () =>
    readdirSync(folder).some((name) => existsSync(join(folder, name, 'postgres', 'postmaster.pid')))
  while (!hasDatabase()) {
    assert.equal(run.exitCode, null, 'it ended by itself')
    await pause(20)
  }
  run.kill('SIGTERM')
  assert.equal(await ended, 1)
  assert.deepEqual(readdirSync(folder), [])
})
