import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { apiRoutes } from '#contract/paths.ts'
import { describeConnection, findSecret, shopRole } from '#server/db/embedded/credentials.ts'
import { query } from '#server/testing/embedded-shop.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import {
  compileCache,
  freePort,
  startShop,
  type RunningShop,
} from '#server/testing/running-shop.ts'

const password = 'a long sentence is a good password'
const folder = temporaryFolder()
const file = join(folder, 'shop.backup')
const [oldDir, newDir] = [join(folder, 'old'), join(folder, 'new')]

async function openShop(dataDir: string): Promise<RunningShop> {
  const environment = { DATA_DIR: dataDir, ADMIN_PASSWORD: password, SESSION_SECRET: '' }
  const shop = startShop('server/main.ts', environment, await freePort())
  after(() => stop(shop))
  await shop.ready()
  return shop
}

async function stop(shop: RunningShop): Promise<void> {
  shop.process.kill('SIGTERM')
  await shop.ended
}

/** Runs a command of the owner, without a terminal. */
async function run(
  command: 'backup' | 'restore',
  args: string[],
  settings: Record<string, string>,
) {
  const child = spawn(process.execPath, [`tools/${command}.ts`, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code, output, errors }
}

async function signIn({ address }: RunningShop): Promise<{ cookie: string }> {
  const answer = await fetch(`${address}${apiRoutes.adminLogin}`, {
    method: 'POST',
    body: JSON.stringify({ username: 'admin', password }),
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(answer.status, 200)
  const [cookie = ''] = answer.headers.getSetCookie()
  return { cookie: cookie.split(';')[0] ?? '' }
}

test('a shop is backed up while it runs and restored on another machine, by the commands of the README', async () => {
  const shop = await openShop(oldDir)
  const product = { name: 'Mug', price: '49.00', headerLogoUrl: 'https://example.com/logo.png' }
  const created = await fetch(`${shop.address}${apiRoutes.products}`, {
    method: 'POST',
    body: JSON.stringify(product),
    headers: { ...(await signIn(shop)), 'content-type': 'application/json' },
  })
  assert.equal(created.status, 201)
  const settings = { DATA_DIR: oldDir, BACKUP_PASSPHRASE: 'a passphrase of the owner' }

  const backup = await run('backup', [file], settings)
  assert.equal(backup.code, 0, backup.errors)
  assert.match(backup.output, /^Tables: 100 % of [\d,]+$/m)
  assert.match(backup.output, /rows in \d+ tables, 0 pictures, .* MB, encrypted\.$/m)
  assert.match(backup.output, /personal data/)
  const again = await run('backup', [file], settings)
  assert.deepEqual(
    [again.code, again.errors],
    [1, `${file} exists already. Nothing is overwritten.\n`],
  )

  const intoRunning = await run('restore', [file], settings)
  assert.equal(intoRunning.errors, 'A shop is running on this database. Stop it first.\n')
  await stop(shop)
  // As after the loss of that folder alone: a command that refuses makes no new one.
  const objects = join(oldDir, 'objects')
  rmSync(objects, { recursive: true })
  const intoUsed = await run('restore', [file], settings)
  assert.match(intoUsed.errors, /^This shop is in use: it has products\..*\n$/)
  assert.match((await run('backup', [file], settings)).errors, /Nothing is overwritten\.\n$/)
  assert.ok(!existsSync(objects))

  const locked = await run('restore', [file], { DATA_DIR: newDir })
  assert.match(locked.errors, /^Passphrase of .*shop\.backup: Set BACKUP_PASSPHRASE\.\n$/)
  const check = await run('restore', [file, '--check'], { ...settings, DATA_DIR: newDir })
  assert.equal(check.code, 0, check.errors)
  assert.match(check.output, /1 products, 0 orders, 0 checkouts, 0 pictures/)
  assert.match(check.output, /^ {2}encrypted with a passphrase: whoever wrote it knew that$/m)
  const otherSecret = { ...settings, DATA_DIR: newDir, SESSION_SECRET: 'x'.repeat(40) }
  const refused = await run('restore', [file], otherSecret)
  assert.match(refused.errors, /^The SESSION_SECRET of this backup's shop is another one here\./)
  assert.ok(!existsSync(newDir), 'nothing is made before the file is known to be restored')

  const restored = await run('restore', [file], { ...settings, DATA_DIR: newDir })
  assert.equal(restored.code, 0, restored.errors)
  assert.match(restored.output, /The shop is restored. Start it as usual: npm start/)
  const readSecretOf = (dataDir: string) => readFileSync(join(dataDir, 'secret'), 'utf8')
  assert.equal(readSecretOf(newDir), readSecretOf(oldDir))

  const next = await openShop(newDir)
  const list = await fetch(`${next.address}${apiRoutes.products}`, { headers: await signIn(next) })
  assert.match(await list.text(), /"name":"Mug"/)
  assert.doesNotMatch(next.output(), /Password /, 'the admin is the one of the backup')
  const path = join(newDir, 'postgres')
  const connection = describeConnection(path, (await findSecret(path)) ?? '')
  const owners = `select distinct tableowner as owner from pg_tables where schemaname = 'public'`
  assert.deepEqual(await query(connection, owners), [{ owner: shopRole }])
})

test('a backup without a passphrase is told from one with it, and refused where there is one', async () => {
  const plain = join(folder, 'plain.backup')
  const backup = await run('backup', [plain], { DATA_DIR: oldDir })
  assert.equal(backup.code, 0, backup.errors)
  const settings = { DATA_DIR: join(folder, 'empty'), BACKUP_PASSPHRASE: 'a passphrase' }
  const check = await run('restore', [plain, '--check'], settings)
  assert.deepEqual(
    [check.code, /^ {2}not encrypted: anybody/m.test(check.output)],
    [0, true],
    check.errors,
  )
  const refused = await run('restore', [plain], settings)
  assert.equal(refused.code, 1)
  assert.match(refused.errors, /^.*plain\.backup is not encrypted, .* add --unencrypted\.\n$/)
  const restored = await run('restore', [plain, '--unencrypted'], settings)
  assert.equal(restored.code, 0, restored.errors)
})

test('before anything is replaced a restore names whose shop it is, and what encryption proves', async () => {
  const secretKey = await generateX25519Identity()
  const publicKey = await identityToRecipient(secretKey)
  const sealed = join(folder, 'for-a-key.backup')
  const backup = await run('backup', [sealed], { DATA_DIR: oldDir, BACKUP_PASSPHRASE: publicKey })
  assert.equal(backup.code, 0, backup.errors)
  const settings = { DATA_DIR: join(folder, 'from-a-key'), BACKUP_PASSPHRASE: secretKey }
  const check = await run('restore', [sealed, '--check'], settings)
  assert.match(check.output, /^.*for-a-key\.backup: of 20\d\d-\d\d-\d\dT.*Z, by Till /m)
  assert.match(check.output, /^ {2}admins: admin \(.*@.*\)$/m)
  assert.match(check.output, /^ {2}address: none is saved in it$/m)
  assert.match(check.output, /^ {2}SumUp account: none is saved in it$/m)
  assert.match(check.output, /^ {2}encrypted to a public key: whoever knows that key can have/m)
  const refused = await run('restore', [sealed], { ...settings, SESSION_SECRET: 'x'.repeat(40) })
  assert.equal(refused.code, 1)
  assert.match(refused.output, /^ {2}admins: admin /m)
})

test('a backup elsewhere than where the shop runs is refused, since it would lack the secret', async () => {
  const dataDir = join(folder, 'nothing')
  const { code, errors } = await run('backup', [join(folder, 'none.backup')], { DATA_DIR: dataDir })
  assert.equal(code, 1)
  assert.equal(
    errors,
    `There is no shop in ${dataDir}. Run the backup where the shop runs, with its settings.\n`,
  )
  assert.ok(!existsSync(dataDir))
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('none')),
    [],
  )
})

test('without a file, or with an option that does not exist, the commands say how they are used', async () => {
  for (const [command, args] of [
    ['backup', []],
    ['restore', ['a', '--no-such-option']],
  ] as const) {
    const { code, errors } = await run(command, [...args], {})
    assert.equal(code, 1)
    assert.match(errors, /^Usage:\n/)
  }
})
