import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { users, credentials } from '#server/db/admin-schema.ts'
import { openTestShop, testBrowser } from '#server/testing/test-shop.ts'
import { createSession } from '#server/admin/sessions.ts'

const shop = await openTestShop()

async function signInAs(username: string): Promise<{ cookie: string }> {
  const [user] = await shop.db
    .insert(users)
    .values({ email: `${username}@example.com` })
    .returning()
  const userId = user?.id ?? ''
  await shop.db.insert(credentials).values({ userId, username, passwordHash: 'none' })
  return { cookie: `till_session=${await createSession(shop.db, userId, testBrowser)}` }
}

const read = async (headers: { cookie: string }): Promise<Notice[]> =>
  (await shop.app.inject({ url: apiRoutes.notices, headers })).json()

async function readFolded(headers: { cookie: string }): Promise<string[]> {
  return (await read(headers)).filter(({ isFolded }) => isFolded).map(({ kind }) => kind)
}

async function idOf(headers: { cookie: string }, kind: Notice['kind']): Promise<string> {
  return (await read(headers)).find((notice) => notice.kind === kind)?.id ?? assert.fail(kind)
}

const fold = (headers: { cookie: string }, payload: object) =>
  shop.app.inject({ method: 'POST', url: apiRoutes.noticesFold, headers, payload })

test('what a person folded away is folded in all their browsers, and for nobody else', async () => {
  const owner = await shop.signIn()
  const mia = await signInAs('mia')
  assert.deepEqual(await readFolded(owner), [])
  const id = await idOf(owner, 'test-mode')
  assert.equal((await fold(owner, { ids: [id] })).statusCode, 204)
  assert.deepEqual(await readFolded(await shop.signIn()), ['test-mode'])
  assert.deepEqual(await readFolded(mia), [])
  await fold(owner, { ids: [] })
  assert.deepEqual(await readFolded(owner), [])
})

test('a folded notice is unfolded when it says something else, and when it comes back', async () => {
  const owner = await shop.signIn()
  const { payments } = shop.shop
  const { account } = payments
  const fail = (problem: string | undefined) =>
    (payments.account = () => ({ ...account(), problem }))
  fail('SumUp does not accept the API key.')
  await fold(owner, { ids: [await idOf(owner, 'payments'), await idOf(owner, 'mail')] })
  assert.deepEqual(await readFolded(owner), ['payments', 'mail'])
  fail('SumUp knows no account MX.')
  assert.deepEqual(await readFolded(owner), ['mail'])
  await fold(owner, { ids: [await idOf(owner, 'payments')] })
  assert.deepEqual(await readFolded(owner), ['payments'])
  fail(undefined)
  assert.deepEqual(await readFolded(owner), [])
  fail('SumUp knows no account MX.')
  assert.deepEqual(await readFolded(owner), [])
  payments.account = account
})

test('what is fine is no notice, and what is urgent comes first', async () => {
  const live = await openTestShop({ isLive: true })
  live.shop.payments.sandboxUrl = undefined
  const list = async (): Promise<string[]> => {
    const notices: Notice[] = (
      await live.app.inject({ url: apiRoutes.notices, headers: await live.signIn() })
    ).json()
    return notices.map(({ kind, isUrgent }) => `${kind}${isUrgent ? ', urgent' : ''}`)
  }
  assert.deepEqual(await list(), ['seller, urgent', 'custom-domain', 'mail'])
  await live.db.update(credentials).set({ isWeak: true })
  assert.deepEqual((await list()).slice(0, 2), ['seller, urgent', 'passwords, urgent'])
})

test('only ids are folded, and not endlessly many', async () => {
  const owner = await shop.signIn()
  for (const payload of [
    {},
    { ids: 'all' },
    { ids: [1] },
    { ids: ['x'.repeat(101)] },
    { ids: Array.from({ length: 51 }, () => 'x') },
  ])
    assert.equal((await fold(owner, payload)).statusCode, 400, JSON.stringify(payload).slice(0, 60))
})
