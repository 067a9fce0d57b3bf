import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { analyse } from 'scslre'
import { parseSync, Visitor } from 'vite'

/*
 * A regular expression that backtracks stops the whole shop: one header of 15,000 spaces took half a second of the event
 * loop. So each must take time in proportion to its text, whoever sends it.
 */

const files = globSync('{contract,server,sandbox,web}/**/*.{ts,tsx,js}').filter(
  (file) => !/\.(test|spec)\.ts$|\/testing\//.test(file),
)

test('no regular expression takes more than linear time', () => {
  const expressions = files.flatMap((file) => readExpressions(file))
  assert.ok(expressions.length > 100)
  const slow = expressions.filter(({ expression }) => isSlow(expression))
  assert.deepEqual(slow, [], 'split and compare instead (linear by construction)')
})

test('slow expressions are found', () => {
  const acceptedGzip = /(?:^|[\s,])gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i
  for (const expression of [acceptedGzip, /^(a+)+$/, /\s+$/, /^\S+@\S+\.\S+$/])
    assert.ok(isSlow(expression), String(expression))
  assert.ok(!isSlow(/^\d+(\.\d{1,2})?$/))
})

function isSlow(expression: RegExp): boolean {
  return analyse(expression, { reportTypes: { Move: true } }).reports.length > 0
}

/** Literals only: what is put together at run time cannot be judged here, so there is none. */
function readExpressions(file: string): { file: string; expression: RegExp }[] {
  const found: { file: string; expression: RegExp }[] = []
  new Visitor({
    Literal(node) {
      if ('regex' in node)
        found.push({ file, expression: new RegExp(node.regex.pattern, node.regex.flags) })
    },
    NewExpression({ callee }) {
      if (callee.type === 'Identifier') assert.notEqual(callee.name, 'RegExp', file)
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return found
}
