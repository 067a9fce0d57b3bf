import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

test('npm run bench -- nonsense says what there is to measure', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/bench.ts', 'nonsense'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  assert.equal(status, 1)
  assert.match(stderr, /no measure "nonsense"\. There are: start, .*pages, .*sales\./)
})
