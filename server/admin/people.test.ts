import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AdminAccount, AdminSession, Invite, Notice } from '#contract/admin.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { createApp } from '#server/app.ts'
import { adminInvites, auditLog, sessions } from '#server/db/admin-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { openTestShop, testAdmin } from '#server/testing/test-shop.ts'
import { addAdmin, ensureFirstAdmin } from './admins.ts'
import { deleteExpiredInvites } from './invites.ts'
import { createSession } from './sessions.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const newPassword = 'quiet river under seven bridges'
const { password } = testAdmin
/** That it is the owner who acts. */
const proof = { password }

/** Two nodes of one shop, with the owner signed in. */
async function openPeopleShop() {
  const shop = await openTestShop()
  const otherNode = await createApp(shop.shop)
  after(() => otherNode.close())
  const headers = await shop.signIn()
  const call = (method: Method, url: string, payload?: object, cookie = headers.cookie) =>
    shop.app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })
  const isSignedIn = async (cookie: string, node = otherNode) =>
    (await node.inject({ url: apiRoutes.adminUser, headers: { cookie } })).statusCode === 200
  const { id: ownerId } = (await call('GET', apiRoutes.adminUser)).json()
  const invite = async (email: string) => {
    const answer = await call('POST', apiRoutes.invites, { email, password })
    assert.equal(answer.statusCode, 201, answer.body)
    const { link } = answer.json()
    return { ...(answer.json() as Invite & { link: string }), token: link.split('#invite=')[1] }
  }
  const accept = (payload: object) =>
    otherNode.inject({ method: 'POST', url: apiRoutes.acceptInvite, payload })
  /** An invited admin, signed in. */
  const addHelper = async (username = 'helper') => {
    const { token } = await invite(`${username}@example.com`)
    const added = await accept({ token, username, password: newPassword })
    assert.equal(added.statusCode, 201, added.body)
    const { id } = added.json()
    const from = { address: '203.0.113.77', userAgent: firefox }
    return { id: String(id), cookie: `till_session=${await createSession(shop.db, id, from)}` }
  }
  return { shop, otherNode, call, headers, isSignedIn, ownerId, invite, accept, addHelper }
}

test('an admin sees the own sessions, and neither the cookie nor what is stored leaves', async () => {
  const { shop, call, headers, ownerId, addHelper } = await openPeopleShop()
  await addHelper()
  const from = { address: '2001:db8:1:2::3', userAgent: safari }
  const phone = await createSession(shop.db, ownerId, from)
  const answer = await call('GET', apiRoutes.adminSessions)
  const list = answer.json() as AdminSession[]
  assert.equal(list.length, 2)
  assert.deepEqual(
    list.map(({ address, browser, isCurrent }) => [address, browser, isCurrent]),
    [
      ['2001:db8:1::', 'Safari on iOS', false],
      ['127.0.0.0', null, true],
    ],
  )
  for (const { id, createdAt, lastSeenAt } of list) {
    assert.match(id, /^[0-9a-f]{64}$/)
    assert.ok(Date.parse(createdAt) <= Date.parse(lastSeenAt))
  }
  for (const { sid } of await shop.db.select().from(sessions)) assert.ok(!answer.body.includes(sid))
  assert.ok(!answer.body.includes(phone) && !answer.body.includes(headers.cookie.slice(13)))
})

test('using a session shows when it was last seen', async () => {
  const { shop, call } = await openPeopleShop()
  await shop.db.update(sessions).set({
    sess: sql`sess || jsonb_build_object('lastSeenAt', now() - interval '2 hours', 'createdAt', now() - interval '3 hours')`,
    expire: sql`now() + interval '6 hours'`,
  })
  const [session] = (await call('GET', apiRoutes.adminSessions)).json() as AdminSession[]
  assert.ok(
    Date.parse(session?.lastSeenAt ?? '') - Date.parse(session?.createdAt ?? '') > 10_000_000,
  )
})

test('a session is ended from another one at once on every node, and only by its admin', async () => {
  const { shop, call, isSignedIn, ownerId, addHelper, headers } = await openPeopleShop()
  const helper = await addHelper()
  const from = { address: '203.0.113.5', userAgent: firefox }
  const phone = `till_session=${await createSession(shop.db, ownerId, from)}`
  const [session] = (await call('GET', apiRoutes.adminSessions)).json() as AdminSession[]
  assert.equal(session?.browser, 'Firefox on Linux')
  const url = pathOf(apiRoutes.adminSession, { id: session.id })
  assert.equal((await call('DELETE', url, undefined, helper.cookie)).statusCode, 404)
  assert.equal(await isSignedIn(phone), true)
  assert.equal((await call('DELETE', url)).statusCode, 204)
  assert.equal(await isSignedIn(phone), false)
  assert.equal((await call('DELETE', url)).json().code, 'session-missing')
  assert.equal(await isSignedIn(headers.cookie), true)
})

test('all other sessions are ended together', async () => {
  const { shop, call, isSignedIn, addHelper, headers } = await openPeopleShop()
  const others = [await shop.signIn(), await shop.signIn()]
  const helper = await addHelper()
  assert.equal((await call('DELETE', apiRoutes.adminSessions)).statusCode, 204)
  for (const { cookie } of others) assert.equal(await isSignedIn(cookie), false)
  assert.equal(await isSignedIn(headers.cookie), true)
  assert.equal(await isSignedIn(helper.cookie), true, 'another admin was signed out')
})

test('a password is changed with the current one, and the other sessions end', async () => {
  const { shop, call, isSignedIn, headers } = await openPeopleShop()
  const other = await shop.signIn()
  const change = (currentPassword: string, wanted: string) =>
    call('PUT', apiRoutes.ownPassword, { currentPassword, newPassword: wanted })
  const wrong = await change('not mine', newPassword)
  assert.equal(wrong.statusCode, 403)
  assert.equal(wrong.json().code, 'wrong-password')
  for (const [weak, code] of [
    ['short', 'password-short'],
    ['Password123', 'password-common'],
    [testAdmin.email, 'password-personal'],
  ] as const) {
    const refused = await change(testAdmin.password, weak)
    assert.equal(refused.statusCode, 422)
    assert.equal(refused.json().code, code)
  }
  assert.equal(await isSignedIn(other.cookie), true)
  assert.equal((await change(testAdmin.password, newPassword)).statusCode, 204)
  assert.equal(await isSignedIn(other.cookie), false)
  assert.equal(await isSignedIn(headers.cookie), true)
  const login = (password: string) =>
    call('POST', apiRoutes.adminLogin, { username: 'owner', password })
  assert.equal((await login(testAdmin.password)).statusCode, 401)
  assert.equal((await login(newPassword)).statusCode, 200)
})

test('who borrows a session has ten guesses at the password', async () => {
  const { call } = await openPeopleShop()
  const guess = () => call('PUT', apiRoutes.ownPassword, { currentPassword: 'guess', newPassword })
  for (let time = 0; time < 10; time += 1) assert.equal((await guess()).statusCode, 403)
  const refused = await guess()
  assert.equal(refused.statusCode, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
})

test('an invited person becomes an admin, once', async () => {
  const { shop, call, invite, accept } = await openPeopleShop()
  const { id, token, link, expiresAt } = await invite('helper@example.com')
  assert.match(link, /^http:\/\/localhost(:80)?\/login#invite=[\w-]{43}$/)
  const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000
  assert.ok(hours > 71.9 && hours <= 72)
  const stored = JSON.stringify(await shop.db.select().from(adminInvites))
  assert.ok(!stored.includes(token ?? ''), 'a copy of the table can become an admin')
  const listed = await call('GET', apiRoutes.invites)
  assert.deepEqual(listed.json(), [{ id, email: 'helper@example.com', expiresAt }])

  const weak = await accept({ token, username: 'helper', password: 'helper1234' })
  assert.equal(weak.json().code, 'password-common')
  const shadow = await accept({ token, username: testAdmin.email, password: newPassword })
  assert.equal(shadow.json().code, 'admin-taken', 'a name hides the address of the owner')
  const accepted = await Promise.all([
    accept({ token, username: 'helper', password: newPassword }),
    accept({ token, username: 'twin', password: newPassword }),
  ])
  assert.deepEqual(
    accepted.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [201, 404],
  )
  assert.equal((await accept({ token, username: 'again', password: newPassword })).statusCode, 404)
  const admins = (await call('GET', apiRoutes.admins)).json() as AdminAccount[]
  assert.equal(admins.length, 2)
  const [owner, helper] = admins
  assert.deepEqual([owner?.username, helper?.email], ['owner', 'helper@example.com'])
  assert.deepEqual([helper?.isDisabled, helper?.hasSecondFactor], [false, false])
  const login = { username: helper?.username, password: newPassword }
  assert.equal((await call('POST', apiRoutes.adminLogin, login)).statusCode, 200)
})

test('an invitation ends after 72 hours, when it is withdrawn, and when a new one is made', async () => {
  const { shop, call, invite, accept } = await openPeopleShop()
  const join = async (token: string | undefined) =>
    (await accept({ token, username: 'helper', password: newPassword })).json().code
  const first = await invite('helper@example.com')
  const second = await invite('Helper@example.com')
  assert.equal(await join(first.token), 'invite-missing')
  assert.equal((await call('DELETE', pathOf(apiRoutes.invite, second))).statusCode, 204)
  assert.equal(await join(second.token), 'invite-missing')
  assert.equal((await call('DELETE', pathOf(apiRoutes.invite, second))).statusCode, 404)
  const third = await invite('helper@example.com')
  await shop.db.update(adminInvites).set({ expiresAt: sql`now()` })
  assert.equal(await join(third.token), 'invite-missing')
  assert.deepEqual((await call('GET', apiRoutes.invites)).json(), [])
  await deleteExpiredInvites(shop.db)
  assert.equal(await shop.db.$count(adminInvites), 0)
  const known = await call('POST', apiRoutes.invites, {
    email: testAdmin.email.toUpperCase(),
    password,
  })
  assert.equal(known.json().code, 'admin-taken')
  const nonsense = await call('POST', apiRoutes.invites, { email: 'nobody', password })
  assert.equal(nonsense.json().message, 'Enter an email address')
})

test('guessing invitations is limited', async () => {
  const { accept } = await openPeopleShop()
  const answers = await Promise.all(
    Array.from({ length: 31 }, () => accept({ token: 'x', username: 'x', password: newPassword })),
  )
  assert.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 1)
})

test('a disabled admin is signed out on every node at once and cannot sign in', async () => {
  const { call, isSignedIn, addHelper } = await openPeopleShop()
  const { id, cookie } = await addHelper()
  const login = () =>
    call('POST', apiRoutes.adminLogin, { username: 'helper', password: newPassword })
  assert.equal(await isSignedIn(cookie), true)
  assert.equal((await call('POST', pathOf(apiRoutes.adminDisable, { id }), proof)).statusCode, 204)
  assert.equal(await isSignedIn(cookie), false)
  const refused = await login()
  assert.equal(refused.statusCode, 403)
  assert.equal(refused.json().code, 'account-disabled')
  const [, helper] = (await call('GET', apiRoutes.admins)).json() as AdminAccount[]
  assert.equal(helper?.isDisabled, true)
  assert.equal((await call('POST', pathOf(apiRoutes.adminEnable, { id }), proof)).statusCode, 204)
  assert.equal(await isSignedIn(cookie), false, 'an ended session came back')
  assert.equal((await login()).statusCode, 200)
})

test('who borrows a session can neither add, disable nor remove an admin', async () => {
  const { shop, call, addHelper } = await openPeopleShop()
  const { id } = await addHelper()
  const attempts = [apiRoutes.adminDisable, apiRoutes.adminEnable, apiRoutes.adminRemove].map(
    (route) => [pathOf(route, { id }), {}] as const,
  )
  const readLog = async () =>
    (await call('GET', `${apiRoutes.auditLog}?action=confirmation-failed`)).json().entries.length
  for (const [url, body] of [
    ...attempts,
    [apiRoutes.invites, { email: 'new@example.com' }],
  ] as const) {
    assert.equal((await call('POST', url, body)).json().message, 'Password is required', url)
    const before = await readLog()
    const refused = await call('POST', url, { ...body, password: 'a guess' })
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'wrong-password'], url)
    assert.equal(await readLog(), before + 1, 'it is recorded')
  }
  const admins = (await call('GET', apiRoutes.admins)).json() as AdminAccount[]
  assert.deepEqual(
    admins.map(({ isDisabled }) => isDisabled),
    [false, false],
  )
  assert.equal(await shop.db.$count(adminInvites), 0)
})

test('a removed admin is gone, and what was done stays', async () => {
  const { call, isSignedIn, addHelper } = await openPeopleShop()
  const { id, cookie } = await addHelper()
  const remove = (id: string) => call('POST', pathOf(apiRoutes.adminRemove, { id }), proof)
  assert.equal((await remove(id)).statusCode, 204)
  assert.equal(await isSignedIn(cookie), false)
  assert.equal((await remove(id)).json().code, 'admin-missing')
  assert.equal((await remove('x')).statusCode, 404)
  const admins = (await call('GET', apiRoutes.admins)).json() as AdminAccount[]
  assert.deepEqual(
    admins.map(({ username }) => username),
    ['owner'],
  )
})

test('somebody can always sign in: the last enabled admin stays, also when two remove each other', async () => {
  const { call, ownerId, addHelper, headers } = await openPeopleShop()
  const disable = (id: string, cookie: string) =>
    call('POST', pathOf(apiRoutes.adminDisable, { id }), proof, cookie)
  const remove = (id: string, cookie: string) =>
    call('POST', pathOf(apiRoutes.adminRemove, { id }), { password: newPassword }, cookie)
  assert.equal((await disable(ownerId, headers.cookie)).json().code, 'last-admin')
  const itself = await call('POST', pathOf(apiRoutes.adminRemove, { id: ownerId }), proof)
  assert.equal(itself.json().code, 'last-admin')
  const helper = await addHelper()
  const answers = await Promise.all([
    disable(helper.id, headers.cookie),
    remove(ownerId, helper.cookie),
  ])
  const codes = answers.map(({ statusCode }) => statusCode)
  assert.equal(codes.filter((code) => code === 204).length, 1, String(codes))
})

test('a weak ADMIN_PASSWORD is refused by a live shop and reported in test mode until it is changed', async () => {
  const shop = await openTestShop()
  const weak = { username: 'admin', email: 'admin@example.com', password: 'password1' }
  const { dataDir } = shop.shop.config
  const said: string[] = []
  const startLive = () =>
    ensureFirstAdmin(shop.db, weak, { dataDir, isLive: true, say: (line) => said.push(line) })
  const assertRefused = () =>
    assert.rejects(startLive(), {
      name: 'CannotStart',
      message: /^ADMIN_PASSWORD cannot be used by a shop that takes money\. .*too short/,
    })
  await shop.db.execute(sql`delete from users`)
  await assertRefused()
  await ensureFirstAdmin(shop.db, weak, { dataDir, isLive: false })
  await assertRefused()
  const login = (password: string) =>
    shop.app.inject({
      method: 'POST',
      url: apiRoutes.adminLogin,
      payload: { username: 'admin', password },
    })
  const signedIn = await login('password1')
  assert.equal(signedIn.statusCode, 200)
  const cookie = `till_session=${signedIn.cookies[0]?.value}`
  const readNotices = async (): Promise<Notice[]> =>
    (await shop.app.inject({ url: apiRoutes.notices, headers: { cookie } })).json()
  const notice = (await readNotices()).find(({ kind }) => kind === 'passwords')
  assert.equal(notice?.title, 'Your password is easy to guess.')
  assert.equal(notice.place, 'account')
  assert.equal(notice.howTo, undefined)
  shop.shop.payments.sandboxUrl = undefined
  const account = shop.shop.payments.account()
  shop.shop.payments.account = () => ({ ...account, mode: 'live' })
  assert.match(
    (await readNotices()).find(({ kind }) => kind === 'passwords')?.text ?? '',
    /^This shop takes money, .*Change it now/,
    'ADMIN_PASSWORD was removed to go live',
  )
  const change = { currentPassword: 'password1', newPassword }
  const url = apiRoutes.ownPassword
  await shop.app.inject({ method: 'PUT', url, payload: change, headers: { cookie } })
  assert.ok((await readNotices()).every(({ kind }) => kind !== 'passwords'))
  await startLive()
  assert.match(said.join(), /No admin has it any more/, 'it is only a leftover then')
})

test('an admin changes the own e-mail address with the password, signs in with it, and the log says so', async () => {
  const shop = await openTestShop()
  const { email, password, username } = testAdmin
  const headers = await shop.signIn()
  const change = (payload: object) =>
    shop.app.inject({ method: 'PUT', url: apiRoutes.ownEmail, headers, payload })
  const readOwn = async () =>
    (await shop.app.inject({ url: apiRoutes.adminUser, headers })).json().email
  const wrong = await change({ email: 'new@mugs.example', password: 'wrong' })
  assert.equal(wrong.json().code, 'wrong-password')
  assert.equal((await change({ email: 'nobody', password })).statusCode, 400)
  const other = { username: 'berta@mugs.example', email: 'berta@example.com', password }
  await addAdmin(shop.db, other, { admin: undefined, address: '' })
  for (const taken of ['Berta@mugs.example', 'BERTA@example.com'])
    assert.equal((await change({ email: taken, password })).json().code, 'admin-taken')
  assert.equal(await readOwn(), email)

  const changed = await change({ email: 'new@mugs.example', password })
  assert.equal(changed.statusCode, 200, changed.body)
  assert.equal(await readOwn(), 'new@mugs.example')
  assert.equal((await change({ email: 'New@mugs.example', password })).statusCode, 200, 'own')
  const login = (name: string) =>
    shop.app.inject({
      method: 'POST',
      url: apiRoutes.adminLogin,
      payload: { username: name, password },
    })
  assert.equal((await login('new@mugs.example')).statusCode, 200)
  assert.equal((await login(username)).statusCode, 200)
  assert.equal((await login(email)).statusCode, 401)
  const entries = await shop.db.select().from(auditLog).where(eq(auditLog.action, 'email-changed'))
  assert.deepEqual(entries[0]?.detail, { from: email, to: 'new@mugs.example' })
})

test('the link of an invitation tells whether it still works before anything is typed', async () => {
  const { call, otherNode, invite, accept } = await openPeopleShop()
  const check = (token: string | undefined) =>
    otherNode.inject({ method: 'POST', url: apiRoutes.checkInvite, payload: { token } })
  const first = await invite('berta@example.com')
  const open = await check(first.token)
  assert.deepEqual([open.statusCode, open.json().email], [200, 'berta@example.com'])
  const second = await invite('carl@example.com')
  await accept({ token: first.token, username: 'berta', password: newPassword })
  await call('DELETE', pathOf(apiRoutes.invite, { id: second.id }))
  for (const token of [first.token, second.token, 'nonsense']) {
    const answer = await check(token)
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'invite-missing'])
  }
})
