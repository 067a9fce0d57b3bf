import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { users, credentials } from '#server/db/admin-schema.ts'
import { openTestShop, testBrowser } from '#server/testing/test-shop.ts'
import { createSession } from './sessions.ts'

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

async function readFolded(headers: { cookie: string }): Promise<string[]> {
  const answer = await shop.app.inject({ url: apiRoutes.notices, headers })
  const notices: Notice[] = answer.json()
  return notices.filter(({ isFolded }) => isFolded).map(({ kind }) => kind)
}

const fold = (headers: { cookie: string }, payload: object) =>
  shop.app.inject({ method: 'POST', url: apiRoutes.noticesFold, headers, payload })

test('what a person folded away is folded in all their browsers, and for nobody else', async () => {
  const owner = await shop.signIn()
  const mia = await signInAs('mia')
  assert.deepEqual(await readFolded(owner), [])
  const title = 'Test mode: no money is taken.'
  assert.equal((await fold(owner, { titles: [title] })).statusCode, 204)
  assert.deepEqual(await readFolded(await shop.signIn()), ['test-mode'])
  assert.deepEqual(await readFolded(mia), [])
  await fold(owner, { titles: ['The backup of 2026-11-15 failed.'] })
  assert.deepEqual(await readFolded(owner), [], 'what is no longer shown is forgotten')
})

test('only titles are folded, and not endlessly many', async () => {
  const owner = await shop.signIn()
  for (const payload of [
    {},
    { titles: 'all' },
    { titles: [1] },
    { titles: ['x'.repeat(501)] },
    { titles: Array.from({ length: 51 }, () => 'x') },
  ])
    assert.equal((await fold(owner, payload)).statusCode, 400, JSON.stringify(payload).slice(0, 60))
})
