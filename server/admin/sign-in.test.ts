import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#server/db/drizzle.ts'
import { apiRoutes } from '#contract/paths.ts'
import { createAddressHash } from '#server/http/client-address.ts'
import { credentials, sessions } from '#server/db/admin-schema.ts'
import { shellActor } from '#server/http/audit.ts'
import { consumeLimit, readLimit } from '#server/http/rate-limits.ts'
import { makeHashCheap } from '#server/testing/admins.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { openTestShop, testAdmin } from '#server/testing/test-shop.ts'
import { changePassword, listAdmins, rehashPassword, setPassword } from './admins.ts'
import { deleteExpiredSessions } from './sessions.ts'
import {
  createDeviceToken,
  findDevice,
  lockVerified,
  perAddress,
  readDeviceOwner,
  signIn,
} from './sign-in.ts'

const shop = await openTestShop()

function login(body: unknown, headers: Record<string, string> = {}) {
  return shop.app.inject({
    method: 'POST',
    url: apiRoutes.adminLogin,
    payload: body as object,
    headers,
  })
}

function getUser(cookie: string) {
  return shop.app.inject({ url: apiRoutes.adminUser, headers: { cookie } })
}

test('an admin signs in by username or by e-mail, in any case', async () => {
  for (const username of [testAdmin.username, 'OWNER', testAdmin.email, ' owner ']) {
    const answer = await login({ username, password: testAdmin.password })
    assert.equal(answer.statusCode, 200, username)
    assert.equal(answer.json().email, testAdmin.email)
    assert.doesNotMatch(answer.body, /password|argon/i)
  }
})

test('wrong password and unknown name get the same answer', async () => {
  const wrong = await login({ username: 'owner', password: 'wrong' })
  const unknown = await login({ username: 'nobody', password: 'wrong' })
  assert.equal(wrong.statusCode, 401)
  assert.equal(unknown.statusCode, 401)
  assert.deepEqual(wrong.json(), {
    message: 'Invalid credentials',
    error: 'Unauthorized',
    code: 'wrong-credentials',
  })
  assert.deepEqual(unknown.json(), wrong.json())
})

test('a missing field is named', async () => {
  assert.equal((await login({ password: 'x' })).json().message, 'Username is required')
  assert.equal((await login({ username: 'owner' })).json().message, 'Password is required')
})

test('a field that is too long is not called missing', async () => {
  const longName = await login({ username: 'a'.repeat(5_000), password: 'x' })
  assert.equal(longName.statusCode, 400)
  assert.equal(longName.json().message, 'Username is too long: at most 255 characters')
  const longPassword = await login({ username: 'owner', password: 'a'.repeat(5_000) })
  assert.equal(longPassword.json().message, 'Password is too long: at most 1024 characters')
  assert.equal(
    (await login({ username: '  ', password: 'x' })).json().message,
    'Username is required',
  )
})

test('the cookie is HttpOnly and Lax, and Secure behind TLS', async () => {
  const plain = await login({ username: 'owner', password: testAdmin.password })
  assert.match(
    String(plain.headers['set-cookie']?.[0]),
    /^till_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const published = await openTestShop({ environment: { PUBLIC_URL: 'https://shop.example.com' } })
  const answer = await published.app.inject({
    method: 'POST',
    url: apiRoutes.adminLogin,
    headers: { host: 'shop.example.com' },
    payload: { username: 'owner', password: testAdmin.password },
  })
  assert.match(
    String(answer.headers['set-cookie']?.[0]),
    /^__Host-till_session=.*; HttpOnly; Secure; SameSite=Lax$/,
  )
})

test('every sign-in is a new session, and the one before it in this browser ends', async () => {
  const { cookie: first } = await shop.signIn()
  const again = await login({ username: 'owner', password: testAdmin.password }, { cookie: first })
  const second = `till_session=${again.cookies[0]?.value}`
  assert.notEqual(second, first)
  assert.equal((await getUser(first)).statusCode, 401)
  assert.equal((await getUser(second)).statusCode, 200)
})

test('a planted session id is not adopted', async () => {
  const planted = 'till_session=planted-by-an-attacker'
  await login({ username: 'owner', password: testAdmin.password }, { cookie: planted })
  assert.equal((await getUser(planted)).statusCode, 401)
})

test('logging out ends the session for good', async () => {
  const { cookie } = await shop.signIn()
  const answer = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.adminLogout,
    headers: { cookie },
  })
  assert.equal(answer.statusCode, 204)
  assert.equal((await getUser(cookie)).statusCode, 401)
})

test('a copy of the sessions table cannot sign in', async () => {
  const { cookie } = await shop.signIn()
  const token = cookie.split('=')[1]
  for (const { sid } of await shop.db.select().from(sessions)) {
    assert.notEqual(sid, token)
    assert.equal((await getUser(`till_session=${sid}`)).statusCode, 401)
  }
})

test('a session ends when unused, and after a day however much it is used', async () => {
  await shop.db.delete(sessions)
  const { cookie } = await shop.signIn()
  await shop.db.update(sessions).set({ expire: sql`now() + interval '1 hour'` })
  assert.equal((await getUser(cookie)).statusCode, 200)
  const [used] = await shop.db
    .select({ left: sql<number>`max(extract(epoch from expire - now()))::int` })
    .from(sessions)
  assert.ok((used?.left ?? 0) > 7 * 3600, 'use did not prolong the session')

  await shop.db.update(sessions).set({
    sess: sql`jsonb_set(sess, '{createdAt}', to_jsonb(now() - interval '23 hours 59 minutes'))`,
    expire: sql`now() + interval '1 hour'`,
  })
  assert.equal((await getUser(cookie)).statusCode, 200)
  const [old] = await shop.db
    .select({ left: sql<number>`max(extract(epoch from expire - now()))::int` })
    .from(sessions)
  assert.ok((old?.left ?? Infinity) <= 60, 'a session outlived its day')

  await shop.db.update(sessions).set({ expire: sql`now() - interval '1 second'` })
  assert.equal((await getUser(cookie)).statusCode, 401)
  await deleteExpiredSessions(shop.db)
  assert.equal((await shop.db.select().from(sessions)).length, 0)
})

test('a changed password signs everybody out', async () => {
  const own = await openTestShop()
  const { cookie } = await own.signIn()
  await changePassword(own.db, 'Owner', 'another good password')
  const answer = await own.app.inject({ url: apiRoutes.adminUser, headers: { cookie } })
  assert.equal(answer.statusCode, 401)
})

/** Sign-ins at a shop of their own, from an address of choice. */
async function openSignInShop() {
  const own = await openTestShop({ environment: { TRUST_PROXY: '1' } })
  const attempt = (username: string, password: string, ip = '203.0.113.9') =>
    own.app.inject({
      method: 'POST',
      url: apiRoutes.adminLogin,
      payload: { username, password },
      headers: { 'x-forwarded-for': ip },
    })
  const fail = async (username: string, times: number, ip?: string) => {
    for (let time = 0; time < times; time += 1)
      assert.equal((await attempt(username, 'guess', ip)).statusCode, 401, `guess ${time + 1}`)
  }
  return { own, attempt, fail }
}

test('an address has ten guesses at an account, then it must wait', async () => {
  const { attempt, fail } = await openSignInShop()
  await fail('owner', 10)
  const refused = await attempt('owner', testAdmin.password)
  assert.equal(refused.statusCode, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  const owner = await attempt('owner', testAdmin.password, '198.51.100.1')
  assert.equal(owner.statusCode, 200, 'the owner elsewhere was locked out')
})

test('who tries the shop out at this machine, in test mode, does not meet the limits', async () => {
  for (const [isLive, headers, expected] of [
    [false, {}, 200],
    [true, {}, 429],
    [false, { 'x-forwarded-for': '203.0.113.9' }, 429],
    [false, { host: 'shop.example.com' }, 429],
  ] as const) {
    const own = await openTestShop({ ...(isLive && { isLive }) })
    const attempt = async (password: string) => {
      const payload = { username: 'owner', password }
      const sent = { method: 'POST', url: apiRoutes.adminLogin, payload, headers } as const
      return (await own.app.inject(sent)).statusCode
    }
    for (let time = 0; time < 10; time += 1) assert.equal(await attempt('guess'), 401)
    assert.equal(await attempt(testAdmin.password), expected, JSON.stringify({ isLive, headers }))
  }
})

test('as many tests as like log in at once, at this machine in test mode', async () => {
  const own = await openTestShop()
  const logIn = () =>
    own.app.inject({ method: 'POST', url: apiRoutes.adminLogin, payload: testAdmin })
  const { pool } = own.shop
  const holder = await pool.connect()
  // Past the check of the password, and all at once at its new hash when the table is free.
  await holder.query('begin; lock table second_factors in access exclusive mode')
  const answers = Array.from({ length: 60 }, logIn)
  await waitFor('all wait', () => pool.waitingCount >= answers.length - pool.totalCount)
  await holder.query('commit')
  holder.release()
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
  assert.deepEqual(new Set(statuses), new Set([200]))
})

test('guesses that are sent at once all count', async () => {
  const { attempt } = await openSignInShop()
  const guesses = await Promise.all(Array.from({ length: 13 }, () => attempt('owner', 'guess')))
  assert.equal(guesses.filter(({ statusCode }) => statusCode === 429).length, 3)
})

test('the username and the e-mail address of an admin are one account', async () => {
  const { attempt, fail } = await openSignInShop()
  await fail('owner', 5)
  await fail(testAdmin.email.toUpperCase(), 5)
  assert.equal((await attempt(testAdmin.email, testAdmin.password)).statusCode, 429)
  assert.equal((await attempt('Owner', testAdmin.password)).statusCode, 429)
})

test('signing in after failures resets the count', async () => {
  const { attempt, fail } = await openSignInShop()
  for (const username of ['owner', testAdmin.email]) {
    await fail(username, 9)
    assert.equal((await attempt(username, testAdmin.password)).statusCode, 200)
  }
})

test('an address may fail forty times over all accounts, then it must wait', async () => {
  const { own, attempt, fail } = await openSignInShop()
  const address = createAddressHash(own.shop.secret)('203.0.113.9')
  for (let name = 0; name < 38; name += 1) await consumeLimit(own.db, perAddress, address)
  await fail('somebody', 1)
  assert.equal((await attempt('owner', testAdmin.password)).statusCode, 200)
  await fail('somebody-else', 1)
  assert.equal((await attempt('owner', testAdmin.password)).statusCode, 429)
})

test('successful sign-ins do not count', async () => {
  const { attempt } = await openSignInShop()
  for (let time = 0; time < 12; time += 1)
    assert.equal((await attempt('owner', testAdmin.password)).statusCode, 200)
})

test('an account under attack from everywhere answers more slowly, and is never locked', async () => {
  const own = await openTestShop()
  const from = (address: string) => ({ address, addressKey: address, deviceToken: undefined })
  const pauses: number[] = []
  const wait = async (ms: number) => void pauses.push(ms)
  for (let ip = 0; ip < 53; ip += 1) {
    await assert.rejects(
      signIn(own.shop, { username: 'owner', password: 'guess' }, from(`10.0.0.${ip}`), wait),
    )
  }
  assert.deepEqual(pauses, [1000, 2000, 3000])
  const { username, password } = testAdmin
  const login = { username, password }
  assert.equal((await signIn(own.shop, login, from('192.0.2.1'), wait)).admin.username, 'owner')

  await own.db.execute(sql`update rate_limits set count = 1000 where count > 50`)
  assert.equal((await signIn(own.shop, login, from('192.0.2.2'), wait)).admin.username, 'owner')
  assert.equal(pauses.at(-1), 30_000)
})

test('strangers cannot use up the sign-ins of a device where the owner has signed in before', async () => {
  const { own, attempt, fail } = await openSignInShop()
  const first = await attempt('owner', testAdmin.password, '198.51.100.1')
  const device = first.cookies.find(({ name }) => name === 'till_device')
  assert.ok(device?.httpOnly && device.maxAge, 'the browser is remembered')
  await makeHashCheap(own.db)
  // Both the shared address and the account are beyond their limits.
  await fail('owner', 10, '198.51.100.1')
  await own.db.execute(sql`update rate_limits set count = 1000`)
  const knownDevice = (password: string, value = device.value) =>
    own.app.inject({
      method: 'POST',
      url: apiRoutes.adminLogin,
      payload: { username: testAdmin.email, password },
      headers: { 'x-forwarded-for': '198.51.100.1', cookie: `till_device=${value}` },
    })
  const signedIn = await knownDevice(testAdmin.password)
  assert.equal(signedIn.statusCode, 200)
  assert.equal(
    signedIn.cookies.find(({ name }) => name === 'till_device')?.value,
    device.value,
    'it stays the same device',
  )
  await makeHashCheap(own.db)
  const forged = device.value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  assert.equal((await knownDevice(testAdmin.password, forged)).statusCode, 429)
  // A stolen device cookie is worth ten guesses, and signs nobody in.
  for (let time = 0; time < 10; time += 1)
    assert.equal((await knownDevice('guess')).statusCode, 401)
  assert.equal((await knownDevice(testAdmin.password)).statusCode, 429)
})

test('a device of one admin gives no advantage at the account of another', async () => {
  const { own, attempt, fail } = await openSignInShop()
  const [admin] = await listAdmins(own.db)
  assert.ok(admin)
  await fail('owner', 10)
  const owner = await readDeviceOwner(own.db, admin.id)
  const other = { ...owner, id: '00000000-0000-4000-8000-000000000000' }
  const token = createDeviceToken(own.shop.secret, other)
  const answer = await own.app.inject({
    method: 'POST',
    url: apiRoutes.adminLogin,
    payload: { username: 'owner', password: testAdmin.password },
    headers: { 'x-forwarded-for': '203.0.113.9', cookie: `till_device=${token}` },
  })
  assert.equal(answer.statusCode, 429)
  assert.equal(findDevice(own.shop.secret, token, owner), undefined)
  assert.equal((await attempt('owner', 'guess')).statusCode, 429)
})

test('a device is not known any more once the password is another one', async () => {
  const { own, attempt } = await openSignInShop()
  const { cookies } = await attempt('owner', testAdmin.password)
  const token = cookies.find(({ name }) => name === 'till_device')?.value
  const [admin] = await listAdmins(own.db)
  assert.ok(admin)
  const isKnown = async () =>
    findDevice(own.shop.secret, token, await readDeviceOwner(own.db, admin.id)) !== undefined
  assert.equal(await isKnown(), true)
  await setPassword(own.db, admin, 'six quiet rivers and a hill', shellActor)
  assert.equal(await isKnown(), false)
})

test('a sign-in that is under way while the password changes or the account is disabled gets no session', async () => {
  const own = await openTestShop()
  const from = { address: '192.0.2.1', addressKey: '192.0.2.1', deviceToken: undefined }
  const { username, password } = testAdmin
  const [admin] = await listAdmins(own.db)
  const id = admin?.id ?? ''
  const verify = (typed: string) => signIn(own.shop, { username, password: typed }, from)
  const lock = (verified: Awaited<ReturnType<typeof signIn>>) =>
    own.db.transaction((tx) => lockVerified(tx, verified))
  const [first, second] = [await verify(password), await verify(password)]
  await lock(first)
  await lock(second)
  await changePassword(own.db, username, 'another good password')
  await assert.rejects(lock(first), { code: 'wrong-credentials' })
  const third = await verify('another good password')
  await own.db.execute(sql`update credentials set disabled_at = now()`)
  await assert.rejects(lock(third), { code: 'wrong-credentials' })

  const [{ passwordHash } = { passwordHash: '' }] = await own.db.select().from(credentials)
  await rehashPassword(own.db, id, password, 'a hash from before')
  const [unchanged] = await own.db.select().from(credentials)
  assert.equal(unchanged?.passwordHash, passwordHash, 'the old password is back')
})

test('an attempt whose password was never checked does not count', async () => {
  const own = await openTestShop({ environment: { TRUST_PROXY: '1' } })
  // More at once than one address may have waiting.
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, n) =>
      own.app.inject({
        method: 'POST',
        url: apiRoutes.adminLogin,
        payload: { username: `nobody ${n}`, password: 'guess' },
        headers: { 'x-forwarded-for': '203.0.113.9' },
      }),
    ),
  )
  const checked = answers.filter(({ statusCode }) => statusCode === 401).length
  assert.ok(checked < answers.length)
  const address = createAddressHash(own.shop.secret)('203.0.113.9')
  assert.equal((await readLimit(own.db, perAddress, address)).used, checked)
})
