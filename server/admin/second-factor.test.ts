import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { AuditPage } from '#contract/audit.ts'
import { apiRoutes } from '#contract/paths.ts'
import { refusals } from '#contract/refusals.ts'
import { createApp } from '#server/app.ts'
import { secondFactors, sessions } from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { shellActor } from '#server/http/audit.ts'
import { fromBase32, makeHashCheap } from '#server/testing/admins.ts'
import { openTestShop, testAdmin, type TestShop } from '#server/testing/test-shop.ts'
import { findAdminByName, listAdmins } from './admins.ts'
import { codeAt, removeSecondFactor } from './second-factor.ts'
import { createDeviceToken, lockVerified, readDeviceOwner, signIn } from './sign-in.ts'

const { password } = testAdmin
const stranger = { address: '192.0.2.1', addressKey: '192.0.2.1', deviceToken: undefined }

test('the codes are those of RFC 6238', () => {
  const secret = Buffer.from('12345678901234567890')
  const vectors = {
    59: '94287082',
    1111111109: '07081804',
    1111111111: '14050471',
    1234567890: '89005924',
    2000000000: '69279037',
    20000000000: '65353130',
  }
  for (const [time, code] of Object.entries(vectors))
    assert.equal(codeAt(secret, Math.floor(Number(time) / 30), 8), code)
})

type Method = 'GET' | 'POST'

async function openFactorShop() {
  const shop = await openTestShop({ environment: { SHOP_NAME: 'Ada: Lamps' } })
  const headers = await shop.signIn()
  const call = (method: Method, url: string, payload?: object) =>
    shop.app.inject({ method, url, headers, ...(payload && { payload }) })
  const login = async (code?: string, node = shop.app) => {
    await makeHashCheap(shop.db)
    return node.inject({
      method: 'POST',
      url: apiRoutes.adminLogin,
      payload: { username: 'owner', password, ...(code !== undefined && { code }) },
    })
  }
  return { shop, call, login }
}

/** The step of the database's clock. */
async function readStep({ db }: TestShop): Promise<number> {
  const { rows } = await db.execute<{ step: number }>(
    sql`select floor(extract(epoch from now()) / 30)::int as step`,
  )
  return rows[0]?.step ?? 0
}

function deviceOf({ cookies }: LightMyRequestResponse): string {
  return cookies.find(({ name }) => name === 'till_device')?.value ?? ''
}

async function switchOn(given?: Awaited<ReturnType<typeof openFactorShop>>) {
  const opened = given ?? (await openFactorShop())
  const { shop, call } = opened
  const offer = (await call('POST', apiRoutes.secondFactor, { password })).json()
  const key = fromBase32(offer.secret)
  const code = async (offset = 0) => codeAt(key, (await readStep(shop)) + offset)
  const confirmed = await call('POST', apiRoutes.secondFactorConfirm, { code: await code() })
  assert.equal(confirmed.statusCode, 200, confirmed.body)
  // As if the codes of this moment had not been used yet.
  await shop.db.update(secondFactors).set({ lastStep: 0 })
  const { recoveryCodes } = confirmed.json() as { recoveryCodes: string[] }
  return { ...opened, offer, key, code, recoveryCodes, device: deviceOf(confirmed) }
}

test('a second factor is offered with a secret, and counts once a code confirms it', async () => {
  const { shop, call, login } = await openFactorShop()
  const wrong = await call('POST', apiRoutes.secondFactor, { password: 'not mine' })
  assert.equal(wrong.statusCode, 403)
  assert.equal(wrong.json().code, 'wrong-password')

  const offer = await call('POST', apiRoutes.secondFactor, { password })
  const { secret, uri } = offer.json()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.equal(
    uri,
    `otpauth://totp/Ada%20%20Lamps:owner%40example.com?secret=${secret}&issuer=Ada%20%20Lamps&algorithm=SHA1&digits=6&period=30`,
  )
  assert.equal(offer.headers['cache-control'], 'no-store')
  assert.equal((await login()).statusCode, 200, 'it counted before it was confirmed')

  const refused = await call('POST', apiRoutes.secondFactorConfirm, { code: '000000' })
  assert.equal(refused.statusCode, 403)
  const code = codeAt(fromBase32(secret), await readStep(shop))
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
  const confirmed = await call('POST', apiRoutes.secondFactorConfirm, { code: spaced })
  assert.equal(confirmed.statusCode, 200)
  const { recoveryCodes } = confirmed.json() as { recoveryCodes: string[] }
  assert.equal(new Set(recoveryCodes).size, 10)
  for (const text of recoveryCodes) assert.match(text, /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)
  assert.deepEqual((await call('GET', apiRoutes.ownAccount)).json(), {
    ...(await call('GET', apiRoutes.adminUser)).json(),
    hasSecondFactor: true,
    recoveryCodesLeft: 10,
  })
  assert.equal((await call('POST', apiRoutes.secondFactor, { password })).statusCode, 409)
  assert.equal((await call('POST', apiRoutes.secondFactorConfirm, { code })).statusCode, 409)
})

test('neither secret nor recovery codes can be read from the database', async () => {
  const { shop, offer, key, recoveryCodes } = await switchOn()
  const stored = JSON.stringify(await shop.db.select().from(secondFactors))
  for (const text of [offer.secret, key.toString('base64url'), key.toString('hex')])
    assert.ok(!stored.includes(text))
  for (const text of recoveryCodes) {
    assert.ok(!stored.includes(text))
    assert.ok(!stored.includes(text.replaceAll('-', '')))
  }
})

test('with a second factor the password alone opens no session', async () => {
  const { shop, login, code } = await switchOn()
  await shop.db.delete(sessions)
  const asked = await login()
  assert.equal(asked.statusCode, 401)
  assert.deepEqual(asked.json(), {
    message: refusals['second-factor-needed'].text,
    error: 'Unauthorized',
    code: 'second-factor-needed',
  })
  assert.equal(asked.headers['set-cookie'], undefined)
  const wrong = await login('123456')
  assert.equal(wrong.json().code, 'wrong-code')
  assert.equal((await shop.db.select().from(sessions)).length, 0)
  const right = await login(await code())
  assert.equal(right.statusCode, 200)
  assert.deepEqual(Object.keys(right.json()).toSorted(), ['email', 'id', 'username'])
})

test('without the password nothing tells that there is a second factor', async () => {
  const { shop, code } = await switchOn()
  const answer = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.adminLogin,
    payload: { username: 'owner', password: 'a guess', code: await code() },
  })
  assert.equal(answer.json().code, 'wrong-credentials')
})

test('a code works once, on all nodes together, and no older one after it', async () => {
  const { shop, login, code } = await switchOn()
  const other = await createApp(shop.shop)
  const now = await code()
  const answers = await Promise.all([login(now), login(now, other), login(now, other)])
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 401, 401],
  )
  assert.equal((await login(now, other)).json().code, 'wrong-code')
  assert.equal((await login(await code(1), other)).statusCode, 200, 'one step early')
  assert.equal((await login(await code(0))).json().code, 'wrong-code', 'older than the last')
  await other.close()
})

test('a code two steps early or late is refused', async () => {
  const { shop, login, key } = await switchOn()
  for (const offset of [-2, 2]) {
    let step: number
    let answer: Awaited<ReturnType<typeof login>>
    // Again, if a step passed meanwhile.
    do {
      step = await readStep(shop)
      answer = await login(codeAt(key, step + offset))
    } while ((await readStep(shop)) !== step)
    assert.equal(answer.json().code, 'wrong-code', String(offset))
  }
})

test('switching it on ends the other sessions, which had none', async () => {
  const { shop, call } = await openFactorShop()
  const other = await shop.signIn()
  const { secret } = (await call('POST', apiRoutes.secondFactor, { password })).json()
  const verified = await signIn(shop.shop, { username: 'owner', password }, stranger)
  const code = codeAt(fromBase32(secret), await readStep(shop))
  assert.equal((await call('POST', apiRoutes.secondFactorConfirm, { code })).statusCode, 200)
  const user = await shop.app.inject({ url: apiRoutes.adminUser, headers: other })
  assert.equal(user.statusCode, 401)
  assert.equal((await call('GET', apiRoutes.adminUser)).statusCode, 200)
  await assert.rejects(
    shop.db.transaction((tx) => lockVerified(tx, verified)),
    { code: 'second-factor-needed' },
    'a sign-in that was under way has a session',
  )
})

test('the password without a code, and wrong codes, are recorded', async () => {
  const { call, login, code } = await switchOn()
  const off = (text: string) => call('POST', apiRoutes.secondFactorOff, { password, code: text })
  await login()
  await login()
  await login('000000')
  await off('000000')
  assert.equal((await off(await code())).statusCode, 204)
  await call('POST', apiRoutes.secondFactor, { password })
  await call('POST', apiRoutes.secondFactorConfirm, { code: '000000' })
  const log = (await call('GET', apiRoutes.auditLog)).json() as AuditPage
  assert.deepEqual(
    log.entries.map(({ action, count, detail }) => [action, count, detail]),
    [
      ['confirmation-failed', 1, { reason: 'code' }],
      ['second-factor-off', 1, null],
      ['confirmation-failed', 1, { reason: 'code' }],
      ['sign-in-failed', 1, { name: 'owner', reason: 'code' }],
      ['second-factor-needed', 2, { name: 'owner', reason: 'code-missing' }],
      ['second-factor-on', 1, { endedSessions: 0 }],
    ],
  )
})

test('a recovery code works once, however often it is sent at once', async () => {
  const { shop, login, call, recoveryCodes } = await switchOn()
  const [first = '', second = ''] = recoveryCodes
  const answers = await Promise.all([login(first), login(first.toUpperCase())])
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 401],
  )
  assert.equal((await login(first)).statusCode, 401)
  assert.equal((await login(second.replaceAll('-', ' '))).statusCode, 200)
  const log = (await call('GET', apiRoutes.auditLog)).json() as AuditPage
  const actions = log.entries.map(({ action }) => action)
  assert.deepEqual(
    actions.filter((action) => action !== 'sign-in' && action !== 'sign-in-failed'),
    ['recovery-code-used', 'recovery-code-used', 'second-factor-on'],
  )
  assert.equal((await call('GET', apiRoutes.ownAccount)).json().recoveryCodesLeft, 8)
  const stranger = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.adminLogin,
    payload: { username: 'owner', password: 'x', code: recoveryCodes[2] ?? '' },
  })
  assert.equal(stranger.statusCode, 401)
  assert.equal((await call('GET', apiRoutes.ownAccount)).json().recoveryCodesLeft, 8)
})

test('after ten wrong codes nobody can guess on, wherever from', async () => {
  const { shop, code } = await switchOn()
  await makeHashCheap(shop.db)
  const open = await createApp({ ...shop.shop, config: { ...shop.shop.config, trustProxy: 1 } })
  const attempt = (text: string, address: string) =>
    open.inject({
      method: 'POST',
      url: apiRoutes.adminLogin,
      payload: { username: 'owner', password, code: text },
      headers: { 'x-forwarded-for': address },
    })
  for (let time = 0; time < 10; time += 1)
    assert.equal((await attempt('000000', `203.0.113.${time}`)).statusCode, 401)
  const refused = await attempt(await code(), '203.0.113.200')
  assert.equal(refused.statusCode, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal(refused.json().message, 'Too many login attempts. Please try again in 60 minutes.')
  await open.close()
})

const strangersAddress = { 'x-forwarded-for': '203.0.113.9' }

/** A sign-in with a code, from a browser with this cookie. */
async function loginFrom(shop: TestShop, device: string, code: string) {
  await makeHashCheap(shop.db)
  return shop.app.inject({
    method: 'POST',
    url: apiRoutes.adminLogin,
    headers: { cookie: `till_device=${device}`, ...strangersAddress },
    payload: { username: 'owner', password, code },
  })
}

test('wrong codes of a stranger lock out neither the owner’s device, nor a recovery code, nor who is signed in', async () => {
  const { shop, call, login, code, recoveryCodes, device: ofSwitchOn } = await switchOn()
  const ofLogin = deviceOf(await login(await code()))
  await shop.db.update(secondFactors).set({ lastStep: 0 })
  for (let time = 0; time < 10; time += 1)
    assert.equal((await loginFrom(shop, '', '000000')).statusCode, 401)
  assert.equal((await loginFrom(shop, '', await code())).statusCode, 429)

  for (const device of [ofLogin, ofSwitchOn]) {
    const known = await loginFrom(shop, device, await code())
    assert.deepEqual([known.statusCode, deviceOf(known)], [200, device])
    await shop.db.update(secondFactors).set({ lastStep: 0 })
  }
  // As if the stranger had waited for the limits of passwords, which are shorter.
  await shop.db.execute(
    sql`update rate_limits set count = 0 where resets_at < now() + interval '50 minutes'`,
  )
  assert.equal((await loginFrom(shop, '', recoveryCodes[0] ?? '')).statusCode, 200)
  const off = { password, code: await code(1) }
  assert.equal((await call('POST', apiRoutes.secondFactorOff, off)).statusCode, 204)
})

test('a device has ten codes of its own, and only once it has signed in with one', async () => {
  const opened = await openFactorShop()
  const byPassword = deviceOf(await opened.login())
  const { shop, code } = await switchOn(opened)
  const [admin] = await listAdmins(shop.db)
  const owner = await readDeviceOwner(shop.db, admin?.id ?? '')
  for (let time = 0; time < 10; time += 1)
    assert.equal((await loginFrom(shop, byPassword, '000000')).statusCode, 401)
  const other = await loginFrom(shop, '', await code())
  assert.equal(other.statusCode, 429, 'it counts with everybody')

  const byCode = createDeviceToken(shop.shop.secret, owner)
  for (let time = 0; time < 10; time += 1)
    assert.equal((await loginFrom(shop, byCode, '000000')).statusCode, 401)
  assert.equal((await loginFrom(shop, byCode, await code())).statusCode, 429)
})

test('switching it off takes the password and a code', async () => {
  const { call, login, code } = await switchOn()
  const off = (payload: object) => call('POST', apiRoutes.secondFactorOff, payload)
  assert.equal((await off({ password: 'wrong', code: await code() })).json().code, 'wrong-password')
  assert.equal((await off({ password, code: '000000' })).json().code, 'wrong-second-factor')
  assert.equal((await off({ password })).json().message, 'Code is required')
  assert.equal((await login()).statusCode, 401)
  assert.equal((await off({ password, code: await code() })).statusCode, 204)
  assert.equal((await login()).statusCode, 200)
  assert.equal((await off({ password, code: '000000' })).json().code, 'second-factor-missing')
})

test('after the session secret changed a recovery code still works, and the app’s code says why not', async () => {
  const { shop, login, code, recoveryCodes } = await switchOn()
  const changed = await createApp({ ...shop.shop, secret: 'another secret'.padEnd(32, '.') })
  for (let time = 0; time < 12; time += 1) await login(await code(), changed)
  const refused = await login(await code(), changed)
  assert.equal(refused.statusCode, 503, 'what cannot be checked counts as a guess')
  assert.match(refused.json().message, /SESSION_SECRET has changed.*npm run admin/)
  assert.equal((await login(recoveryCodes[0], changed)).statusCode, 200)
  await changed.close()
})

test('on the server it can be switched off without a code', async () => {
  const { shop, login } = await switchOn()
  const admin = await findAdminByName(shop.db, 'Owner')
  assert.equal(admin?.hasSecondFactor, true)
  assert.equal(await removeSecondFactor(shop.db, admin.id, shellActor), true)
  assert.equal((await login()).statusCode, 200)
  assert.equal(await removeSecondFactor(shop.db, admin.id, shellActor), false)
})
