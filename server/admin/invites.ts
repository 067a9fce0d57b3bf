import { hash, randomBytes } from 'node:crypto'
import { inviteHours, type AdminUser, type Invite } from '#contract/admin.ts'
import { inviteFragment, pages } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { adminInvites } from '#server/db/admin-schema.ts'
import { deleteInBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { and, eq, gt, sql } from '#server/db/drizzle.ts'
import { recordAudit, type Actor } from '#server/http/audit.ts'
import { consumeLimit, type Limit } from '#server/http/rate-limits.ts'
import {
  addAdmin,
  assertNamesFree,
  assertRoomForAdmin,
  assertStillProven,
  lockAdmins,
  type ProvenActor,
} from './admins.ts'
import { tooManyLogins } from './passwords.ts'

/** Mistyped passwords count too. */
const perAddress: Limit = { name: 'invite address', max: 30, seconds: 15 * 60 }

type InviteRow = typeof adminInvites.$inferSelect

/** The link leads to the login page and works once. A new one for the same address replaces the old one. */
export async function createInvite(
  db: Db,
  email: string,
  actor: ProvenActor,
): Promise<{ invite: Invite; linkPath: string }> {
  const token = randomBytes(32).toString('base64url')
  const invite = await db.transaction(async (tx) => {
    await lockAdmins(tx)
    await assertStillProven(tx, actor)
    await assertNamesFree(tx, [email])
    await tx.delete(adminInvites).where(sql`lower(${adminInvites.email}) = lower(${email})`)
    await assertRoomForAdmin(tx)
    const [row] = await tx
      .insert(adminInvites)
      .values({
        tokenHash: hashToken(token),
        email,
        invitedBy: actor.admin.id,
        expiresAt: sql`now() + make_interval(hours => ${inviteHours})`,
      })
      .returning()
    if (!row) throw new Error('adding an invitation returned no row')
    await recordAudit(tx, actor, { action: 'admin-invited', subject: email })
    return showInvite(row)
  })
  return { invite, linkPath: `${pages.login}${inviteFragment}${token}` }
}

export async function listInvites(db: Db): Promise<Invite[]> {
  const rows = await db.select().from(adminInvites).where(isValid).orderBy(adminInvites.createdAt)
  return rows.map(showInvite)
}

export async function withdrawInvite(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.delete(adminInvites).where(eq(adminInvites.id, id)).returning()
    if (!row) throw new Refusal('invite-missing')
    await recordAudit(tx, actor, { action: 'invite-withdrawn', subject: row.email })
  })
}

/** The invitation of a link that still works. */
export async function getInvite(db: Db, token: string, addressKey: string): Promise<Invite> {
  const { isAllowed, secondsLeft } = await consumeLimit(db, perAddress, addressKey)
  if (!isAllowed) throw tooManyLogins(secondsLeft)
  const [invite] = await db.select().from(adminInvites).where(ofToken(token))
  if (!invite) throw new Refusal('invite-missing')
  return showInvite(invite)
}

/** Makes an admin of the invited person, who chooses name and password. */
export async function acceptInvite(
  db: Db,
  { token, username, password }: { token: string; username: string; password: string },
  { address, addressKey }: { address: string; addressKey: string },
): Promise<AdminUser> {
  // Read first: without an invitation nothing is hashed.
  const { email } = await getInvite(db, token, addressKey)
  const admin = { username, email, password }
  return addAdmin(db, admin, { admin: undefined, address }, async (tx) => {
    // The second of two requests that accept at once waits here and finds nothing.
    const { rowCount } = await tx.delete(adminInvites).where(ofToken(token))
    if (rowCount === 0) throw new Refusal('invite-missing')
  })
}

export function deleteExpiredInvites(db: Db): Promise<number> {
  return deleteInBatches(db, sql`admin_invites`, sql`expires_at < now()`)
}

const isValid = gt(adminInvites.expiresAt, sql`now()`)

function ofToken(token: string) {
  return and(eq(adminInvites.tokenHash, hashToken(token)), isValid)
}

function showInvite({ id, email, expiresAt }: InviteRow): Invite {
  return { id, email, expiresAt: expiresAt.toISOString() }
}

function hashToken(token: string): string {
  return hash('sha256', token)
}
