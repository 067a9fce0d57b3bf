import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSecret } from './secret.ts'
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
})

test('a damaged secret stops the start with what to do', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'secret'), '')
  await assert.rejects(readSecret({ sessionSecret: undefined, dataDir }), /secret is damaged/)
})
