import { createHmac, randomBytes } from 'node:crypto'
import { chown, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeIdentifier, escapeLiteral, type Client } from 'pg'
import { CannotStart, madeBeforeFirstRelease } from '#server/cannot-start.ts'
import { crashPoint } from '#server/crash-point.ts'
import { databasePort, type UnprivilegedUser } from './cluster.ts'

/**
 * Who may use the database. Nobody gets in without a password that only the folder's owner can read, and the shop's own
 * role is no superuser: a hole in the shop must not become a shell on the machine.
 */

/** Made by initdb. Owns the cluster, starts and stops it; the shop never runs statements as this role. */
export const superuser = 'till'
/** Owns the shop's database and everything in it. */
export const shopRole = 'till_shop'
const databaseName = 'till'

/** In the cluster's folder, so that both are moved, copied and restored together. */
const secretFile = 'till-password'
const accessFile = 'pg_hba.conf'
const passwordsOnly = 'local all all scram-sha-256\n'
/** For as long as it takes to set a password. The folder of the socket is closed to other users. */
const withoutPassword = 'local all all trust\n'

export type Connection = {
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** Undefined for a cluster without passwords, which is new, and for one whose file was lost. */
export async function findSecret(path: string): Promise<string | undefined> {
  try {
    return await readFile(join(path, secretFile), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** How the shop connects to its database. */
export function describeConnection(host: string, secret: string): Connection {
  return {
    host,
    port: databasePort,
    user: shopRole,
    password: passwordOf(shopRole, secret),
    database: databaseName,
  }
}

export function passwordOf(role: string, secret: string): string {
  return createHmac('sha256', secret).update(role).digest('hex')
}

/**
 * A closed cluster whose password file was lost must let its superuser in once. Only for a database that does not run. An
 * access file that is not ours stays as it is: that of a new cluster lets the superuser in, and that of a Till before 1.0 is
 * left to it.
 */
export async function allowSettingPassword(
  path: string,
  user: UnprivilegedUser | undefined,
): Promise<void> {
  if ((await findSecret(path)) === undefined && (await isClosed(path)))
    await replaceFile(path, accessFile, withoutPassword, user)
}

async function isClosed(path: string): Promise<boolean> {
  // Without this file PostgreSQL says itself that it is missing.
  return (await readFile(join(path, accessFile), 'utf8').catch(() => '')) === passwordsOnly
}

/**
 * Sets passwords where there are none, and creates the shop's role and database where they are missing. Each step may be
 * repeated: a start that was killed here does it again. Returns the secret behind the passwords. Refuses a cluster whose
 * database does not belong to the shop's role, before anything is changed.
 */
export async function prepareRoles(
  owner: Client,
  path: string,
  user: UnprivilegedUser | undefined,
): Promise<string> {
  const databaseOwner = await findDatabaseOwner(owner)
  if (databaseOwner !== undefined && databaseOwner !== shopRole)
    throw new CannotStart(madeBeforeFirstRelease)
  const known = await findSecret(path)
  const secret = known ?? randomBytes(32).toString('hex')
  if (known === undefined || !(await hasShopRole(owner))) {
    await createShopRole(owner, secret)
    await owner.query(
      `alter role ${superuser} password ${escapeLiteral(passwordOf(superuser, secret))}`,
    )
  }
  if (known === undefined) {
    crashPoint('passwords-set')
    await replaceFile(path, secretFile, secret, user)
  }
  crashPoint('secret-written')
  await closeAccess(owner, path, user)
  await createShopDatabase(owner)
  return secret
}

/**
 * After the secret is written: whoever finds the access closed finds the secret. Read again at every start, because a start may have
 * been killed between the two.
 */
async function closeAccess(
  owner: Client,
  path: string,
  user: UnprivilegedUser | undefined,
): Promise<void> {
  if (!(await isClosed(path))) await replaceFile(path, accessFile, passwordsOnly, user)
  crashPoint('access-closed')
  await owner.query('select pg_reload_conf()')
}

async function createShopRole(owner: Client, secret: string): Promise<void> {
  if (!(await hasShopRole(owner))) await owner.query(`create role ${shopRole}`)
  const password = escapeLiteral(passwordOf(shopRole, secret))
  await owner.query(`alter role ${shopRole} login nosuperuser password ${password}`)
}

/** PostgreSQL creates a database completely or not at all. */
async function createShopDatabase(owner: Client): Promise<void> {
  if ((await findDatabaseOwner(owner)) !== undefined) return
  await owner.query(`create database ${escapeIdentifier(databaseName)} owner ${shopRole}`)
}

async function findDatabaseOwner(owner: Client): Promise<string | undefined> {
  const { rows } = await owner.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [databaseName],
  )
  return rows[0]?.owner
}

async function hasShopRole(owner: Client): Promise<boolean> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [shopRole])
  return rowCount === 1
}

/** Never half a file, and never readable for others. */
async function replaceFile(
  folder: string,
  name: string,
  content: string,
  user: UnprivilegedUser | undefined,
): Promise<void> {
  const draft = join(folder, `${name}.new`)
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (user) await chown(draft, user.uid, user.gid)
  await rename(draft, join(folder, name))
}
