import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'

test('a page that logs an error fails the story in which it does; a story that fails leaves each tab in a new folder that it names', () => {
  // oxlint-disable-next-line node/no-process-env -- set by npm test
  const environment = process.env
  const folder = temporaryFolder()
  const traces = join(folder, '.traces')
  const other = join(traces, 'a-story-with-two-tabs')
  const twoTabs = `${other}-2`
  mkdirSync(other, { recursive: true })
  writeFileSync(join(other, 'page-3.png'), 'of a test with the same name')
  const story = resolve('e2e/testing/failing-story.ts')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [story, environment.TILL_TEST_BROWSER ?? ''],
    // Within a test, Node would run no others.
    { cwd: folder, env: { ...environment, NODE_TEST_CONTEXT: undefined }, encoding: 'utf8' },
  )
  assert.equal(status, 1, stdout + stderr)
  const told = stdout
    .matchAll(/^[✔✖] (a story .+) \(.+ms\)$/gm)
    .map(([line]) => line.replace(/ \(.+/, ''))
  assert.deepEqual(
    [...new Set(told)],
    [
      '✔ a story before',
      '✖ a story whose page logs an error',
      '✔ a story after',
      '✖ a story with two tabs',
    ],
  )
  assert.match(stdout, /Errors in the page: not as it should be$/m)
  assert.match(stdout, /Traces of "a story with two tabs": \.traces\/a-story-with-two-tabs-2/)
  assert.deepEqual(readdirSync(traces).toSorted(), [
    'a-story-whose-page-logs-an-error',
    'a-story-with-two-tabs',
    'a-story-with-two-tabs-2',
  ])
  assert.deepEqual(readdirSync(other), ['page-3.png'])
  assert.deepEqual(readdirSync(twoTabs).toSorted(), [
    'page-1-log.txt',
    'page-1-network.txt',
    'page-1.png',
    'page-2-log.txt',
    'page-2-network.txt',
    'page-2.png',
  ])
  const read = (name: string) => readFileSync(join(traces, name), 'utf8')
  assert.equal(
    read('a-story-whose-page-logs-an-error/page-1-log.txt'),
    'http://shop.test/second\nwarning: in the second story\nerror: not as it should be',
  )
  assert.equal(
    read('a-story-with-two-tabs-2/page-2-log.txt'),
    'http://shop.test/second\nwarning: in the second tab',
  )
  assert.equal(
    read('a-story-with-two-tabs-2/page-2-network.txt'),
    '200 GET http://shop.test/second',
  )
})
