import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shellActor } from '#server/http/audit.ts'
import type { AdminUser } from '#contract/admin.ts'
import { Refusal } from '#contract/refusals.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { addAdmin, removeAdmin, setDisabled, setPassword } from './admins.ts'
import { acceptInvite, createInvite } from './invites.ts'
import { assertPassword } from './sign-in.ts'

const shop = await openTestShop()
const { db } = shop
const password = 'quiet river under seven bridges'
const from = { address: '203.0.113.77', addressKey: 'x' }

/** An admin, and what happens to who takes an invitation that this admin made. */
async function inviteAs(username: string) {
  const admin = await addAdmin(
    db,
    { username, email: `${username}@example.com`, password },
    shellActor,
  )
  const actor = await assertPassword(db, { admin, address: from.address }, password)
  const { linkPath } = await createInvite(db, `back-${admin.email}`, actor)
  const token = linkPath.split('#invite=')[1] ?? ''
  const accept = () =>
    acceptInvite(db, { token, username: `back-${username}`, password }, from).then(
      () => 'accepted',
      (error: unknown) => error instanceof Refusal && error.code,
    )
  return { admin, actor, accept }
}

test('an invitation ends when its maker gets another password', async () => {
  const { admin, accept } = await inviteAs('anna')
  await setPassword(db, admin, `${password}, again`, shellActor)
  assert.equal(await accept(), 'invite-missing')
})

test('an invitation ends when its maker is disabled, for good', async () => {
  const { admin, accept } = await inviteAs('berta')
  await setDisabled(db, admin.id, true, shellActor)
  assert.equal(await accept(), 'invite-missing')
  await setDisabled(db, admin.id, false, shellActor)
  assert.equal(await accept(), 'invite-missing')
})

test('an invitation ends when its maker is removed, and not when others are', async () => {
  const { admin, accept } = await inviteAs('carl')
  const other = await inviteAs('dora')
  await removeAdmin(db, admin.id, shellActor)
  assert.equal(await accept(), 'invite-missing')
  assert.equal(await other.accept(), 'accepted')
})

test('a call under way brings nobody back who was just disabled, removed or given another password', async () => {
  for (const [username, end] of [
    ['emil', (admin: AdminUser) => setDisabled(db, admin.id, true, shellActor)],
    ['fritz', (admin: AdminUser) => removeAdmin(db, admin.id, shellActor)],
    ['gerd', (admin: AdminUser) => setPassword(db, admin, `${password}, again`, shellActor)],
  ] as const) {
    const other = await inviteAs(`other-${username}`)
    await setDisabled(db, other.admin.id, true, shellActor)
    const { admin, actor } = await inviteAs(username)
    await end(admin)
    for (const call of [
      () => createInvite(db, 'late@example.com', actor),
      () => setDisabled(db, other.admin.id, false, actor),
      () => removeAdmin(db, other.admin.id, actor),
      () => setPassword(db, admin, `${password}, mine`, actor),
    ])
      await assert.rejects(call, { code: 'unauthorized' }, username)
    if (username === 'emil')
      await assert.rejects(setDisabled(db, admin.id, false, actor), { code: 'unauthorized' })
  }
})
