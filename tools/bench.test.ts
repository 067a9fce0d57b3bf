import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { drawCharts } from '#tools/bench/charts.ts'
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

test('docs/bench.md has a place for the table and one for the load', () => {
  const document = readFileSync(documentFile, 'utf8')
  for (const part of ['table', 'load'])
    assert.match(replaceGenerated(document, part, 'the new figures'), /the new figures/)
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

test('a picture has a line for each figure, within its panel, also for figures that never change', () => {
  const picture = drawCharts([0, 15, 30], 30, 'minutes', [
    { title: 'Memory, MB', lines: [{ name: 'heap', values: [80, 120, 100] }] },
    {
      title: 'Latency, ms',
      isLogarithmic: true,
      lines: [
        { name: 'page', values: [0.4, 3, 900] },
        { name: 'sale', values: [20, 20, 20] },
      ],
    },
    { title: 'Delay, ms', lines: [{ name: 'delay', values: [0, 0, 0] }] },
  ])
  assert.doesNotMatch(picture, /NaN|Infinity|undefined/)
  const lines = [...picture.matchAll(/class="line c\d" d="M([\d. L-]+)"/g)]
  const drawn = lines.map(([, path = '']) => path.split('L')).filter(({ length }) => length === 3)
  assert.equal(drawn.length, 4)
  for (const point of drawn.flat()) {
    const [x = -1, y = -1] = point.split(' ').map(Number)
    assert.ok(x >= 58 && x <= 800 && y >= 34 && y <= 150, point)
  }
})

test('npm run bench -- nonsense says what there is to measure', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/bench.ts', 'nonsense'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  assert.equal(status, 1)
  assert.match(stderr, /no bench "nonsense"\. There are: start, .*sales, .*load\./)
})
