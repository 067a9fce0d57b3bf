import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openDrawnPictures } from './drawn-pictures.ts'

const picture = { bytes: Buffer.from('a picture'), isWhole: true }
const never = () => Promise.reject(new Error('drawn once more'))

test('a picture is drawn once for all who ask at once, and is still there after a restart', async () => {
  const folder = join(temporaryFolder(), 'drawn')
  const pictures = openDrawnPictures(folder)
  let drawings = 0
  const draw = async () => {
    drawings += 1
    return picture
  }
  const asked = ['a', 'b', 'c'].map((address) => pictures.get('mug.jpg', address, draw))
  for (const { bytes, isNew } of await Promise.all(asked)) {
    assert.deepEqual(bytes, picture.bytes)
    assert.equal(isNew, true)
  }
  assert.equal(drawings, 1)
  const kept = await openDrawnPictures(folder).get('mug.jpg', 'a', never)
  assert.deepEqual([kept.bytes, kept.isNew], [picture.bytes, false])
})

test('a picture that failed is drawn again, and one that may become complete a minute later', async () => {
  let now = 0
  const pictures = openDrawnPictures(temporaryFolder(), { now: () => now })
  await assert.rejects(pictures.get('a', 'x', never))
  const half = { ...picture, isWhole: false }
  assert.equal((await pictures.get('a', 'x', async () => half)).isWhole, false)
  now = 59_000
  assert.deepEqual(await pictures.get('a', 'x', never), { ...half, isNew: false })
  now = 60_000
  assert.equal((await pictures.get('a', 'x', async () => picture)).isNew, true)
  assert.equal((await pictures.get('a', 'x', never)).isNew, false)
})

test('only so many pictures are kept', async () => {
  const folder = temporaryFolder()
  const pictures = openDrawnPictures(folder, { maxKept: 5 })
  for (let number = 0; number < 12; number += 1)
    await pictures.get(`${number}`, 'x', async () => picture)
  assert.equal(readdirSync(folder).length, 5)
  const half = { ...picture, isWhole: false }
  const draw = async () => half
  for (let number = 0; number < 21; number += 1) await pictures.get(`half ${number}`, 'x', draw)
  assert.equal((await pictures.get('half 1', 'x', never)).isNew, false)
  assert.equal((await pictures.get('half 0', 'x', draw)).isNew, true)
})

test('one address cannot fill the queue, and the owner waits for no stranger', async () => {
  const pictures = openDrawnPictures(temporaryFolder())
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const order: string[] = []
  const draw = (name: string) => async () => {
    await gate
    order.push(name)
    return picture
  }
  const waiting = ['1', '2', '3', '4'].map((name) => pictures.get(name, 'stranger', draw(name)))
  await assert.rejects(pictures.get('5', 'stranger', never), { code: 'pictures-busy', status: 503 })
  waiting.push(pictures.get('6', 'other', draw('6')))
  const preview = pictures.inTurn(draw('preview'), { isKnown: true })
  open()
  await Promise.all([...waiting, preview])
  assert.deepEqual(order.slice(0, 2), ['1', 'preview'])
})
