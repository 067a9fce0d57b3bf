import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { decrypt, encrypt, isSignature, readSecret, sign } from './secret.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

test('a secret that is given is used, and nothing is written', async () => {
  const dataDir = temporaryFolder()
  assert.equal(await readSecret({ sessionSecret: 'x'.repeat(32), dataDir }), 'x'.repeat(32))
  assert.deepEqual(readdirSync(dataDir), [])
})

test('nodes that start at once create one secret, which only its owner can read', async () => {
  const dataDir = join(temporaryFolder(), 'new')
  const config = { sessionSecret: undefined, dataDir }
  const secrets = await Promise.all(Array.from({ length: 8 }, () => readSecret(config)))
  assert.equal(new Set(secrets).size, 1)
  assert.match(secrets[0] ?? '', /^[0-9a-f]{64}$/)
  assert.equal(await readSecret(config), secrets[0])
  assert.deepEqual(readdirSync(dataDir), ['secret'])
  assert.equal(statSync(join(dataDir, 'secret')).mode & 0o777, 0o600)
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
})

test('a damaged secret stops the start with what to do', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'secret'), '')
  await assert.rejects(readSecret({ sessionSecret: undefined, dataDir }), /secret is damaged/)
})

test('what is encrypted is read only with the same secret, purpose and owner, and unchanged', () => {
  const secret = 'x'.repeat(32)
  const seal = { purpose: 'test', owner: 'ada' }
  const encrypted = encrypt(secret, seal, 'häschen')
  assert.equal(decrypt(secret, seal, encrypted), 'häschen')
  assert.notEqual(encrypt(secret, seal, 'häschen'), encrypted, 'the same text looks the same')
  assert.equal(decrypt('y'.repeat(32), seal, encrypted), undefined)
  assert.equal(decrypt(secret, { ...seal, purpose: 'other' }, encrypted), undefined)
  assert.equal(decrypt(secret, { ...seal, owner: 'eve' }, encrypted), undefined)
  const bytes = Buffer.from(encrypted, 'base64url')
  for (const [index, byte] of bytes.entries()) {
    const changed = Buffer.from(bytes)
    changed[index] = byte ^ 1
    assert.equal(decrypt(secret, seal, changed.toString('base64url')), undefined, `byte ${index}`)
  }
  assert.equal(decrypt(secret, seal, ''), undefined)
})

test('a signature is for one text and one purpose', () => {
  const secret = 'x'.repeat(32)
  const signature = sign(secret, 'test', 'text')
  assert.equal(isSignature(secret, 'test', 'text', signature), true)
  assert.equal(isSignature(secret, 'test', 'texts', signature), false)
  assert.equal(isSignature(secret, 'other', 'text', signature), false)
  assert.equal(isSignature('y'.repeat(32), 'test', 'text', signature), false)
  assert.equal(isSignature(secret, 'test', 'text', ''), false)
})
