import assert from 'node:assert/strict'
import { test } from 'node:test'

import { describeFormats, findPictureProblem } from './picture-upload.ts'

test('a picture of exactly the maximum size is accepted, one byte more is not', () => {
  const type = 'image/png'
  assert.equal(findPictureProblem({ type, size: 10_485_760 }, 'image'), undefined)
  assert.equal(findPictureProblem({ type, size: 5_242_880 }, 'logo'), undefined)
  assert.equal(
    findPictureProblem({ type, size: 5_242_881 }, 'logo'),
    'This file is larger than 5 MB. Please upload a smaller picture.',
  )
  assert.match(findPictureProblem({ type, size: 10_485_761 }, 'image') ?? '', /larger than 10 MB/)
})

test('files that are not pictures are refused, and an SVG of more than 1 MB', () => {
  assert.match(findPictureProblem({ type: 'text/plain', size: 9 }, 'logo') ?? '', /not a picture/)
  assert.match(findPictureProblem({ type: '', size: 9 }, 'logo') ?? '', /not a picture/)
  const type = 'image/svg+xml'
  assert.equal(findPictureProblem({ type, size: 1_048_576 }, 'logo'), undefined)
  assert.match(findPictureProblem({ type, size: 1_048_577 }, 'logo') ?? '', /larger than 1 MB/)
  assert.match(findPictureProblem({ type: 'image/gif', size: 0 }, 'logo') ?? '', /empty/)
})

test('the field names the limit of each format', () => {
  const formats = 'PNG, JPEG, WebP, GIF or AVIF'
  assert.equal(describeFormats('image'), `${formats} up to 10 MB, SVG up to 1 MB`)
  assert.equal(describeFormats('logo'), `${formats} up to 5 MB, SVG up to 1 MB`)
})
