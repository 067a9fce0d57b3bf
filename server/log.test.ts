import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openLog } from './log.ts'

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

/** A process that logs to a pipe. */
function startLogging(program: string) {
  const start = `import { openLog, openOutput } from '#server/log.ts'
    const log = openLog('info', openOutput())`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', `${start}\n${program}`], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  return { child, ended: once(child, 'exit') }
}

test('lines of requests are written together, and a warning brings them all', async () => {
  const { child } = startLogging(`
    for (let request = 0; request < 3; request += 1) log.info({ request }, 'request')
    log.warn('Something is wrong')
    process.stdin.resume()`)
  const [first] = await once(child.stdout, 'data')
  const lines: string[] = String(first).trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['request', 'request', 'request', 'Something is wrong'],
  )
  child.stdin.end()
})

test('lines that wait are written soon, also if nothing follows', async () => {
  const { child } = startLogging(`log.info('request'); process.stdin.resume()`)
  const [first] = await once(child.stdout, 'data')
  assert.match(String(first), /"msg":"request"/)
  child.stdin.end()
})

test('no line is lost when the process ends or crashes', async () => {
  for (const [end, code] of [
    ['process.exit(3)', 3],
    [`throw new Error('a crash')`, 1],
    ['', 0],
  ] as const) {
    const { child, ended } = startLogging(`
      for (let request = 0; request < 1000; request += 1) log.info({ request }, 'request')
      ${end}`)
    const written = await text(child.stdout)
    assert.equal(written.match(/"msg":"request"/g)?.length, 1000)
    assert.deepEqual(await ended, [code, null])
  }
})

test('a pipe that is closed does not stop the process', async () => {
  const { child, ended } = startLogging(`
    process.stdin.once('data', () => {
      for (let line = 0; line < 10_000; line += 1) log.warn({ line }, 'Something is wrong')
      process.exit(5)
    })`)
  child.stdout.destroy()
  await once(child.stdout, 'close')
  child.stdin.write('go')
  assert.deepEqual(await ended, [5, null])
})
