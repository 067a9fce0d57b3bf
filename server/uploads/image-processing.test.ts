import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { queueDecoding, scanFile } from './image-processing.ts'

const path = join(temporaryFolder(), 'file')
const megabyte = 1024 * 1024

test('markup is found anywhere, also across two chunks', async () => {
  for (let at = megabyte - 12; at <= megabyte + 2; at += 1) {
    const bytes = Buffer.alloc(megabyte + 100)
    bytes.write('javascript:', at, 'latin1')
    writeFileSync(path, bytes)
    const { hasActiveContent, size, md5 } = await scanFile(path)
    assert.equal(hasActiveContent, true, `at ${at}`)
    assert.equal(size, bytes.length)
    assert.equal(md5, createHash('md5').update(bytes).digest('hex'))
  }
})

test('text that only resembles markup is not markup', async () => {
  for (const text of ['<htmlx', '<scripted>', '%PDF-x', '<?phpx', 'javascript', '<x:xmpmeta>']) {
    writeFileSync(path, text)
    assert.equal((await scanFile(path)).hasActiveContent, false, text)
  }
})

test('two pictures are decoded at once, twenty wait, and more are refused', async () => {
  const { promise: go, resolve } = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const decode = () =>
    queueDecoding(async () => {
      running += 1
      most = Math.max(most, running)
      await go
      running -= 1
    })
  const taken = Array.from({ length: 22 }, decode)
  await assert.rejects(decode(), { code: 'pictures-busy', status: 503, retryAfter: 5 })
  resolve()
  await Promise.all(taken)
  assert.equal(most, 2)
})

test('a failed picture frees its slot', async () => {
  const fail = () => queueDecoding(() => Promise.reject(new Error('damaged')))
  for (let time = 0; time < 30; time += 1) await assert.rejects(fail(), /damaged/)
  assert.equal(await queueDecoding(async () => 'done'), 'done')
})
