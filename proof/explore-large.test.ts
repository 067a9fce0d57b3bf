import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { largestSmallBounds, smallBounds } from './explore/bounds.ts'
import { describeFound } from './explore/run.ts'
import { explore } from './explore/search.ts'

for (const bound of smallBounds.filter(({ name }) => largestSmallBounds.includes(name))) {
  test(`every order of events: ${bound.about}`, () => {
    const { found, isComplete } = explore(bound)
    deepEqual(found ? describeFound(found) : [], [])
    ok(isComplete)
  })
}
