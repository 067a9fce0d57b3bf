import { chown, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import { databasePort, socketName, type Cluster, type UnprivilegedUser } from './cluster.ts'
import { findSecret, passwordOf, superuser } from './credentials.ts'
import { findPostmaster, launchPostmaster, maxRecoveryMs } from './postmaster.ts'

/** The owner's connection: no other server starts, stops or restarts this database while it lives. */
export type Ownership = {
  client: Client
  /** Resolves when the connection has ended, for whatever reason. */
  lost: Promise<void>
  pid: number
  /** The postmaster was already running. */
  adopted: boolean
}

/** For another server's shutdown, orphaned backends and locks to be gone. */
const maxWaitMs = 15_000
const pollMs = 20
const relaunchMs = 50

/**
 * Adopts the postmaster that is running, even one that a killed server left behind; starts one if there is none.
 * Several starts may all launch and connect at once: PostgreSQL allows one postmaster and one owner.
 */
export async function takeOwnership(cluster: Cluster): Promise<Ownership> {
  const startedAt = performance.now()
  let error: string | undefined
  let adopted = true
  for (;;) {
    const attempt = await connectAsOwner(cluster)
    const pid = await findPostmaster(cluster.path)
    if ('client' in attempt) return { ...attempt, pid: pid ?? 0, adopted }

    const { notYet } = attempt
    if (performance.now() - startedAt > (isRecovering(notYet) ? maxRecoveryMs : maxWaitMs)) {
      throw pid === undefined
        ? notStarting(cluster, error ?? notYet)
        : notAnswering(cluster, pid, notYet)
    }
    if (pid !== undefined) {
      await sleep(pollMs)
      continue
    }
    ;({ error } = await launchPostmaster(cluster))
    adopted = error !== undefined
    if (error === undefined) continue
    if (!isTemporary(error)) throw notStarting(cluster, error)
    await sleep(relaunchMs)
  }
}

function isRecovering(notYet: string): boolean {
  return /starting up|not yet accepting connections|in recovery mode/.test(notYet)
}

/** Another start holds the files at the moment, or killed backends still do. */
function isTemporary(error: string): boolean {
  return /lock file ".*" (already exists|is empty)|shared memory block .* is still in use/.test(
    error,
  )
}

function notStarting({ path }: Cluster, error: string): CannotStart {
  if (/No space left on device/.test(error)) {
    return new CannotStart(`The database in ${path} cannot start: the disk is full.`)
  }
  return new CannotStart(
    `The database in ${path} does not start. PostgreSQL's last output:\n${error}`,
  )
}

function notAnswering({ path }: Cluster, pid: number, notYet: string): CannotStart {
  return new CannotStart(
    `The database in ${path} runs (pid ${pid}) but does not answer: ${notYet}. ` +
      'End that process, then start Till again.',
  )
}

/** "till" in ASCII. Advisory locks are per database, so all servers take it in the same one: postgres. */
const ownerLock = 0x74696c6c

/** A killed server's lock is released some milliseconds after its end. */
const lockTimeoutMs = 2_000
const connectTimeoutMs = 5_000

async function connectAsOwner(
  cluster: Cluster,
): Promise<Pick<Ownership, 'client' | 'lost'> | { notYet: string }> {
  const secret = await findSecret(cluster.path)
  const client = new Client({
    host: cluster.host,
    port: databasePort,
    user: superuser,
    // Never that of PGPASSWORD.
    password: secret === undefined ? '' : passwordOf(superuser, secret),
    database: 'postgres',
    ssl: false,
    application_name: 'till owner',
    lock_timeout: lockTimeoutMs,
    connectionTimeoutMillis: connectTimeoutMs,
  })
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve)
  })
  // `lost` reports the end; without a listener an error would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1)', [ownerLock])
    return { client, lost }
  } catch (error) {
    await client.end().catch(() => {})
    return { notYet: describeDelay(cluster, error as Error) }
  }
}

const lockNotAvailable = '55P03'
const startingOrStopping = '57P'
const tooManyConnections = '53300'

/** What waiting can help with, such as a connection that breaks because the database is stopping; throws for the rest. */
export function describeDelay(
  cluster: Pick<Cluster, 'path' | 'dataDir'>,
  error: Error & { code?: string | undefined },
): string {
  const { code = '', message } = error
  if (code === lockNotAvailable) {
    throw new CannotStart(
      `Till is already running on ${cluster.dataDir}. Stop it first, or start this one with another DATA_DIR.`,
    )
  }
  const isAnswer = error instanceof DatabaseError
  if (!isAnswer || code.startsWith(startingOrStopping) || code === tooManyConnections) {
    return message || code
  }
  throw new CannotStart(`The database in ${cluster.path} rejects Till's connection: ${message}.`)
}

/** The folder through which clients reach the socket in `path`: itself, or a short symlink to it. */
export async function openSocketFolder(
  path: string,
  user: UnprivilegedUser | undefined,
): Promise<{ host: string; close: () => Promise<void> }> {
  if (fitsSocket(path)) return { host: path, close: async () => {} }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'till-'))
    // Without /proc the server itself uses this folder too.
    if (user) await chown(folder, user.uid, user.gid)
    const host = join(folder, 'db')
    await symlink(path, host)
    const close = () => rm(folder, { recursive: true, force: true })
    if (fitsSocket(host)) return { host, close }
    await close()
  } catch (cause) {
    throw tooLong(path, cause)
  }
  throw tooLong(path)
}

/** The kernel's limit. */
const maxSocketPathBytes = process.platform === 'linux' ? 107 : 103

function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, socketName)) <= maxSocketPathBytes
}

function tooLong(path: string, cause?: unknown): CannotStart {
  return new CannotStart(
    `The path ${path} is too long for PostgreSQL's socket, and ${tmpdir()} offers no way around. ` +
      'Set DATA_DIR to a folder with a shorter path.',
    { cause },
  )
}
