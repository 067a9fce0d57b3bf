import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { noise, openBothStores } from './test-pictures.ts'

const { desks } = await openBothStores()

/** Ways out of a folder, as they have worked somewhere. */
const waysOut = [
  '../secret',
  '..%2fsecret',
  '..%2Fsecret',
  '%2e%2e%2fsecret',
  '%2e%2e/secret',
  '%252e%252e%252fsecret',
  '..%5csecret',
  '..\\secret',
  '....//secret',
  '%2fetc%2fpasswd',
  '/etc/passwd',
  'C:%5cwindows%5cwin.ini',
  '%5c%5cserver%5cshare',
  'file:%2f%2f%2fetc%2fpasswd',
  'stored%2fKEY',
  '.%2fKEY',
  'KEY%2f',
  'KEY%2f..%2fKEY',
  'KEY.thumb.webp',
  'KEY%00',
  'KEY%00.png',
  'KEY%20',
  'KEY%0a',
  '%EF%BC%8E%EF%BC%8E%EF%BC%8Fsecret',
  '..%c0%afsecret',
  'incoming',
  'incoming/KEY',
  's3/../KEY',
  '0'.repeat(32),
  '0'.repeat(31),
  '0'.repeat(5000),
  '',
  'secret',
  '__proto__',
]

/** As it is written: clients of ours would tidy the path up before they ask for it. */
async function getAsWritten(address: string, path: string) {
  const asking = request(address, { path })
  asking.end()
  const [answer] = await once(asking, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode, body: Buffer.concat(chunks).toString('latin1') }
}

for (const [store, desk] of Object.entries(desks)) {
  test(`${store}: nothing but a key that was stored is served`, async () => {
    const { dataDir } = desk.shop.shop.config
    mkdirSync(join(dataDir, 'objects', 'stored'), { recursive: true })
    for (const folder of ['', 'objects', 'objects/stored'])
      writeFileSync(join(dataDir, folder, 'secret'), 'the secret')
    const address = await desk.shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { key } = await desk.upload(await noise(30, 20).png().toBuffer())
    for (const way of [...waysOut.map((way) => way.replaceAll('KEY', key)), key.toUpperCase()]) {
      const { status, body } = await getAsWritten(address, `/api/objects/${way}`)
      // A NUL is refused before anybody looks for it.
      assert.equal(status, way.includes('%00') ? 400 : 404, way)
      assert.doesNotMatch(body, /the secret|root:/)
    }
    assert.equal((await getAsWritten(address, `/api/objects/${key}`)).status, 200)
  })
}
