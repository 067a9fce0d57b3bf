import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { readThrough } from './read-through.ts'

const path = join(temporaryFolder(), 'file')
const megabyte = 1024 * 1024

test('markup is found wherever it stands, also where two chunks meet', async () => {
  for (let at = megabyte - 12; at <= megabyte + 2; at += 1) {
    const bytes = Buffer.alloc(megabyte + 100)
    bytes.write('javascript:', at, 'latin1')
    writeFileSync(path, bytes)
    const { isActive, size, md5 } = await readThrough(path)
    assert.equal(isActive, true, `at ${at}`)
    assert.equal(size, bytes.length)
    assert.equal(md5, createHash('md5').update(bytes).digest('hex'))
  }
})

test('letters that happen to stand together are not markup', async () => {
  for (const text of ['<htmlx', '<scripted>', '%PDF-x', '<?phpx', 'javascript', '<x:xmpmeta>']) {
    writeFileSync(path, text)
    assert.equal((await readThrough(path)).isActive, false, text)
  }
})
