import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { largestSmallBounds, smallBounds } from './explore/bounds.ts'
import { heldByTests, mutations } from './explore/mutations.ts'
import { describeFound, exploreMutation } from './explore/run.ts'
import { explore } from './explore/search.ts'

/** The largest, half a minute of work, are visited in explore-large.test.ts. */
for (const bound of smallBounds.filter(({ name }) => !largestSmallBounds.includes(name))) {
  test(`every order of events: ${bound.about}`, () => {
    const { found, isComplete } = explore(bound)
    deepEqual(found ? describeFound(found) : [], [])
    ok(isComplete)
  })
}

for (const [name, violation] of [
  [
    'a checkout that cannot be read is waited for without end',
    'a sale stays submitted for ever (once all is quiet)',
  ],
  ['EXPIRED is believed at once', 'told that nothing was charged and nothing can be'],
  ['an order does not say what went back before it', 'the order of t1 does not say what went back'],
  ['one known decline is the decline of every card', 'told that the card was declined'],
  [
    'a form is reused at the same amount, whatever it was agreed for',
    'a form for another delivery than the page shows',
  ],
  [
    'details are taken for another country than the price was agreed for',
    'an order goes elsewhere than its price was agreed for (once all is quiet)',
  ],
] as const) {
  test(`found without its fix: ${name}`, async () => {
    const { found } = await exploreMutation({ name })
    equal(found?.violation, violation)
  })
}

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')

test('every fix that a mutation reverts is in the source exactly once', () => {
  const others = mutations.filter(({ file, search }) => read(file).split(search).length !== 2)
  deepEqual(
    others.map(({ name }) => name),
    [],
  )
})

test('the tests that hold what no world has exist', () => {
  const missing = heldByTests.filter(({ file, title }) => !read(file).includes(title))
  deepEqual(missing, [])
})
