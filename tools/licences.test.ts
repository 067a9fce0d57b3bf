import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLicences, judge, listPackages } from './licences.ts'

test('every package may be used and passed on', () => {
  const packages = listPackages()
  assert.ok(packages.length > 100)
  assert.deepEqual(describeLicences(packages).refused, [])
})

test('a licence that is forbidden, unknown or only half allowed is refused', () => {
  for (const licence of [
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'SSPL-1.0',
    'UNLICENSED',
    'unknown',
    'MIT AND GPL-2.0-only',
    'SEE LICENSE IN LICENSE.md',
    '(MIT AND (GPL-2.0-only OR Proprietary))',
  ]) {
    const bad = { name: 'some-package', version: '1.0.0', licence, isDev: false }
    assert.deepEqual(describeLicences([bad]).refused, [bad], licence)
  }
})

test('of several licences to choose from one is enough', () => {
  assert.ok(judge({ name: 'some-package', licence: '(GPL-3.0-only OR MIT)' }))
})

test('an exception holds for its packages and its licence alone', () => {
  const licence = 'LGPL-3.0-or-later'
  assert.match(judge({ name: '@img/sharp-libvips-linux-x64', licence }) ?? '', /libvips/)
  assert.equal(judge({ name: 'some-package', licence }), undefined)
  assert.equal(judge({ name: '@img/sharp-libvips-linux-x64', licence: 'GPL-3.0-only' }), undefined)
})
