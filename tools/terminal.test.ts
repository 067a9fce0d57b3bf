import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showBar, showProgress } from './terminal.ts'

function run(isTTY: boolean, shares: number[]): string {
  let printed = ''
  const write = (text: string) => (printed += text)
  const progress = showProgress({ isTTY, write } as unknown as NodeJS.WriteStream)
  for (const done of shares) progress({ step: 'Tables', done, total: 2_000 })
  return printed
}

test('in a log progress is a line for each tenth, and one at the end', () => {
  const lines = run(false, [0, 100, 250, 290, 1_000, 2_000, 2_000]).trim().split('\n')
  assert.deepEqual(lines, [
    'Tables: 10 % of 2,000',
    'Tables: 50 % of 2,000',
    'Tables: 100 % of 2,000',
  ])
})

test('on a terminal progress is one bar, with the time left once that can be told', (context) => {
  context.mock.timers.enable({ apis: ['Date'] })
  let printed = ''
  const write = (text: string) => (printed += text)
  const progress = showProgress({ isTTY: true, write } as unknown as NodeJS.WriteStream)
  progress({ step: 'Tables', done: 1, total: 4 })
  assert.doesNotMatch(printed, /left/)
  context.mock.timers.tick(30_000)
  progress({ step: 'Tables', done: 2, total: 4, detail: 'orders' })
  assert.match(printed, /█{12}░{12} {2}50 % {2}30 s left {2}orders$/)
  progress({ step: 'Tables', done: 4, total: 4 })
  assert.match(printed, /█{24} 100 % {2}\n$/)
})

test('lines are printed above the bar, and what others write stays', () => {
  let printed = ''
  const write = (text: string) => (printed += text)
  const output = { isTTY: true, columns: 60, write } as unknown as NodeJS.WriteStream
  const { onProgress, print } = showBar(output)
  print('Begun')
  onProgress({ step: 'Tables', done: 1, total: 4, detail: 'a name that is too long for this line' })
  print('A quarter')
  output.write(' An error\n')
  onProgress({ step: 'Tables', done: 4, total: 4 })
  print('Done')
  const clear = '\r\u001B[K'
  const quarter = `Tables    ${'█'.repeat(6)}${'░'.repeat(18)}  25 %  a name that is too`
  const whole = `Tables    ${'█'.repeat(24)} 100 %  `
  assert.equal(
    printed,
    `Begun\n${quarter}${clear}A quarter\n${quarter} An error\n${clear}${whole}\nDone\n`,
  )
})

test('in a log lines are printed without a bar', () => {
  let printed = ''
  const write = (text: string) => (printed += text)
  const { onProgress, print } = showBar({ isTTY: false, write } as unknown as NodeJS.WriteStream)
  onProgress({ step: 'Tables', done: 1, total: 4 })
  print('A quarter')
  assert.equal(printed, 'A quarter\n')
})
