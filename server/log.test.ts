import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bufferLines, openLog } from './log.ts'

test('on a terminal a line tells all that was logged, and nothing that was logged makes lines of its own', () => {
  const lines: string[] = []
  const log = openLog('trace', { isTTY: true, write: (text) => lines.push(text) })
  const forged = '\n12:00:00 info all is well\u001b[2J\u009b2J\u202e'
  log.fatal({ line: `PANIC:  could not write${forged}` }, 'The database wrote a line')
  log.error(
    { err: new Error(`broken${forged}`, { cause: new Error('the disk is full') }) },
    'It is',
  )
  log.info({ method: 'GET', route: '/x', status: 200, ms: 1.5, reqId: 'id' }, 'request')
  const text = lines.join('')
  assert.match(text, /fatal The database wrote a line \{"line":"PANIC: {2}could not write/)
  assert.match(text, /^Error: broken\\n12:00:00/m)
  assert.match(text, /^Cause: Error: the disk is full$/m)
  assert.match(text, /info GET \/x 200 1\.5 ms \[id\]\n$/)
  assert.doesNotMatch(text, /^12:00:00 info all is well/m)
  // oxlint-disable-next-line no-control-regex -- that is what must not be there
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})

test('lines of requests are written together, and a warning brings them all', () => {
  const written: string[] = []
  const output = bufferLines({ isTTY: false, write: (text) => written.push(text) })
  const log = openLog('info', output)
  for (let request = 0; request < 3; request += 1) log.info({ request }, 'request')
  assert.deepEqual(written, [])
  log.warn('Something is wrong')
  assert.equal(written.length, 1)
  const lines = written.join('').trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['request', 'request', 'request', 'Something is wrong'],
  )
  for (let request = 0; request < 400; request += 1) log.info({ request }, 'request')
  assert.ok(written.length > 1, 'lines wait without bound')
})

test('lines that wait are written soon, also if nothing follows', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const output = bufferLines({ isTTY: false, write: resolve })
  openLog('info', output).info('request')
  // The writing timer alone does not keep the process alive.
  const alive = setInterval(() => {}, 1_000)
  assert.match(await promise, /"msg":"request"/)
  clearInterval(alive)
})
