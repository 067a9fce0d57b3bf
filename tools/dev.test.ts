import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { checkoutPath, pages } from '#contract/paths.ts'
import { openDatabase } from '#server/db/database.ts'
import { addMug } from '#server/testing/buyer.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { makeTestDatabase, toDatabaseUrl } from '#server/testing/test-database.ts'
import { compileCache, freePort } from '#server/testing/running-shop.ts'
import { waitFor } from '#server/testing/wait-for.ts'

test('npm run dev serves the pages from their sources, in test mode', async () => {
  const connection = await makeTestDatabase()
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const dev = spawn(process.execPath, ['tools/dev.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      DATA_DIR: temporaryFolder(),
      DATABASE_URL: toDatabaseUrl(connection),
      PORT: String(port),
      LOG_LEVEL: 'warn',
      SUMUP_API_KEY: 'not a key: the shop would not start with it',
    },
  })
  const ended = once(dev, 'exit')
  after(() => dev.kill('SIGKILL'))
  await untilListening(address)

  const login = await (await fetch(`${address}${pages.login}`)).text()
  assert.match(login, /@vite\/client/)
  assert.match(login, /src="\/admin\/[^"]+\.tsx"/)

  const opened = openDatabase(connection, () => {})
  const mug = await addMug(opened)
  await opened.close()
  const checkout = await fetch(`${address}${checkoutPath(mug)}`)
  assert.equal(checkout.status, 200)
  const page = await checkout.text()
  const sources = [...page.matchAll(/(?:src|href)="(\/storefront\/[^"]+)"/g)].map(
    ([, path]) => path,
  )
  assert.ok(sources.length >= 2, page)
  for (const path of sources) assert.equal((await fetch(`${address}${path}`)).status, 200, path)

  dev.kill('SIGTERM')
  await ended
})

async function untilListening(address: string): Promise<void> {
  await waitFor('npm run dev starts', () => fetch(`${address}${pages.login}`))
}
