import assert from 'node:assert/strict'
import { test } from 'node:test'

import { maybePictureProblem } from './picture-problem.ts'

test('a picture of exactly the largest size is taken, one byte more is not', () => {
  const type = 'image/png'
  assert.equal(maybePictureProblem({ type, size: 10_485_760 }, 'image'), undefined)
  assert.equal(maybePictureProblem({ type, size: 5_242_880 }, 'logo'), undefined)
  assert.equal(
    maybePictureProblem({ type, size: 5_242_881 }, 'logo'),
    'This file is larger than 5 MB. Please upload a smaller picture.',
  )
  assert.match(maybePictureProblem({ type, size: 10_485_761 }, 'image') ?? '', /larger than 10 MB/)
})

test('what is no picture is told so, and SVG is told why', () => {
  assert.match(maybePictureProblem({ type: 'text/plain', size: 9 }, 'logo') ?? '', /not a picture/)
  assert.match(maybePictureProblem({ type: '', size: 9 }, 'logo') ?? '', /not a picture/)
  assert.match(maybePictureProblem({ type: 'image/svg+xml', size: 9 }, 'logo') ?? '', /SVG/)
  assert.match(maybePictureProblem({ type: 'image/gif', size: 0 }, 'logo') ?? '', /empty/)
})
