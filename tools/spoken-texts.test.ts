import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseSync, Visitor } from 'vite'
import { countries } from '#contract/countries.ts'

/*
 * Buyers' pages speak several languages, so no text may stand in their code: it would stay English in all of them. What the
 * server renders is read by pseudo-language-pages.test.ts, word by word; this also reads what only runs in a browser.
 */

const files = globSync('web/storefront/**/*.{ts,tsx}').filter(
  (file) => !/\.test\.ts$|\/testing\//.test(file),
)

test('every text on buyers’ pages is in a dictionary', () => {
  assert.ok(files.length > 40)
  const found = files.flatMap((file) => findTexts(file, readFileSync(file, 'utf8')))
  assert.deepEqual(found, [])
})

test('forgotten texts are found', () => {
  for (const code of [
    '<p>Your order</p>',
    '<p>{isOld ? "Too old" : name} days</p>',
    '<Fact label="Status" />',
    'toast({ title: "Please look again" })',
    'say(`Write to ${email}`)',
  ])
    assert.equal(
      findTexts('page.tsx', `export const page = () => (${code})`).length > 0,
      true,
      code,
    )
  for (const code of [
    '<p className="mt-3 flex gap-3 text-soft">{texts().title}: {amount} · 1</p>',
    '<a href="#Top" aria-live="polite">{name}</a>',
    'new Error("No card form is mounted")',
  ])
    assert.deepEqual(findTexts('page.tsx', `export const page = (${code})`), [], code)
})

/** Names for machines that look like texts. */
const names = new Set<string>([
  ...countries,
  'Product not found',
  'Order not found',
  'Page Not Found',
  'out of stock',
])

/** Attributes that people see or hear. */
const spokenAttributes = ['label', 'title', 'hint', 'alt', 'placeholder', 'fallback', 'aria-label']

const hasLetters = (text: string) => /\p{L}{2}/u.test(text)
/** Begins like a sentence, or has several words: not a name for machines. */
const isSpoken = (text: string) =>
  /^\p{Lu}\p{Ll}+ /u.test(text) || /\p{Ll} \p{Ll}+ \p{Ll}/u.test(text)

function findTexts(file: string, code: string): string[] {
  const found: string[] = []
  /** Classes, and messages of errors, which nobody is shown. */
  const silent: [number, number][] = []
  const report = ({ start }: { start: number }, text: string) => {
    if (!silent.some(([from, to]) => start >= from && start < to))
      found.push(`${file} ${text.trim()}`)
  }
  new Visitor({
    NewExpression: ({ start, end }) => void silent.push([start, end]),
    CallExpression({ callee, start, end }) {
      if (callee.type === 'Identifier' && callee.name === 'classNames') silent.push([start, end])
    },
    JSXAttribute({ name, value, start, end }) {
      const attribute = name.type === 'JSXIdentifier' ? name.name : ''
      if (attribute === 'className') silent.push([start, end])
      if (value?.type !== 'Literal' || typeof value.value !== 'string') return
      if (spokenAttributes.includes(attribute) && hasLetters(value.value))
        report(value, value.value)
    },
    JSXText(node) {
      if (hasLetters(node.value)) report(node, node.value)
    },
    Literal(node) {
      if (typeof node.value !== 'string' || names.has(node.value)) return
      if (isSpoken(node.value)) report(node, node.value)
    },
    TemplateElement(node) {
      if (isSpoken(node.value.raw)) report(node, node.value.raw)
    },
    VariableDeclarator({ id, start, end }) {
      if (id.type === 'Identifier' && /Class$|^(half|full|states)$/.test(id.name))
        silent.push([start, end])
    },
  }).visit(parseSync(file, code).program)
  return found
}
