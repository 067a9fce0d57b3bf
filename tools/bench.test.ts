import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  documentFile,
  formatMarkdownRows,
  formatTable,
  replaceGenerated,
  type Row,
} from '#tools/bench/report.ts'

const rows: Row[] = [
  {
    what: 'whole sales, 32 at once',
    measured: '210 a second',
    limit: '1,600 durable order transactions a second',
    ratio: 210 / 1600,
    aim: '≥ 200 a second',
    isMet: true,
    before: '63-72 a second',
  },
  { what: 'second start', measured: '1.20 s', aim: '≤ 1 s', isMet: false },
  { what: 'PUT | POST', measured: '3 ms' },
]

test('a run replaces what earlier runs have written into the document, and nothing that people have', () => {
  const document = [
    '# Measured',
    '<!-- generated: table -->',
    'old figures',
    '<!-- end of table -->',
    'What was tried',
    '<!-- generated: load -->',
    'old load',
    '<!-- end of load -->',
    'Others',
  ].join('\n')
  const once = replaceGenerated(document, 'table', 'new figures\n')
  assert.equal(once, document.replace('old figures', '\nnew figures\n'))
  assert.equal(replaceGenerated(once, 'table', 'new figures'), once)
  assert.match(replaceGenerated(once, 'load', 'new load'), /new figures[^]+tried[^]+new load/)
})

test('a run refuses a document that does not say where its figures belong', () => {
  const cases = ['', '<!-- generated: table -->', '<!-- end of table --><!-- generated: table -->']
  for (const text of cases)
    assert.throws(() => replaceGenerated(text, 'table', 'figures'), /generated: table/)
})

test('docs/bench.md has a place for the table', () => {
  const document = readFileSync(documentFile, 'utf8')
  assert.match(replaceGenerated(document, 'table', 'the new figures'), /the new figures/)
})

test('each figure stands in one line with its limit, its ratio, its aim and whether it is met', () => {
  const [head, , sales, start, piped] = formatMarkdownRows(rows).split('\n')
  assert.equal(head, '| what | measured | limit beside it | ratio | aim | met | before |')
  assert.equal(
    sales,
    '| whole sales, 32 at once | 210 a second | 1,600 durable order transactions a second | 0.13 | ≥ 200 a second | yes | 63-72 a second |',
  )
  assert.equal(start, '| second start | 1.20 s |  |  | ≤ 1 s | no |  |')
  assert.match(piped ?? '', /PUT \\\| POST/)
})

test('on a terminal columns stand below each other, and empty ones are left out', () => {
  assert.equal(
    formatTable(rows.slice(1)),
    [
      'what          measured  aim    met',
      'second start  1.20 s    ≤ 1 s  no',
      'PUT | POST    3 ms',
    ].join('\n'),
  )
})

test('npm run bench -- nonsense says what there is to measure', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/bench.ts', 'nonsense'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  assert.equal(status, 1)
  assert.match(stderr, /no bench "nonsense"\. There are: start, .*pages, sales\./)
})
