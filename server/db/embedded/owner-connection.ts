import { Client, type DatabaseError } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import type { Cluster } from './cluster.ts'
import { databasePort, databaseUser } from './settings.ts'

export type OwnerConnection = {
  client: Client
  /** Resolves when the connection has ended, whatever ended it. */
  lost: Promise<void>
}

/** "till" in ASCII. Advisory locks count per database, so all servers take it in the same one: postgres. */
const ownerLock = 0x74696c6c

/** A killed server's lock goes with its connection, some milliseconds after it. */
const predecessorGoneMs = 2_000
const answerMs = 5_000

/** One server for one data folder: the owner's lock lives as long as this connection. */
export async function connectAsOwner(
  cluster: Cluster,
): Promise<OwnerConnection | { notYet: string }> {
  const client = new Client({
    host: cluster.host,
    port: databasePort,
    user: databaseUser,
    database: 'postgres',
    ssl: false,
    application_name: 'till owner',
    lock_timeout: predecessorGoneMs,
    connectionTimeoutMillis: answerMs,
  })
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve)
  })
  // Its end is all that matters, and `lost` tells of it; without a listener an error would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1)', [ownerLock])
    return { client, lost }
  } catch (error) {
    await client.end().catch(() => {})
    return whyNotYet(cluster, error as DatabaseError)
  }
}

function whyNotYet(cluster: Cluster, error: DatabaseError): { notYet: string } {
  const { code = '', message } = error
  if (code === lockNotAvailable) {
    throw new CannotStart(
      `Till is already running on ${cluster.dataDir}. Stop it first, or start this one with another DATA_DIR.`,
    )
  }
  const isSqlState = /^[0-9A-Z]{5}$/.test(code)
  if (!isSqlState || code.startsWith(startingOrStopping) || code === tooManyConnections) {
    return { notYet: message || code }
  }
  throw new CannotStart(`The database in ${cluster.path} does not let Till in: ${message}.`)
}

const lockNotAvailable = '55P03'
const startingOrStopping = '57P'
const tooManyConnections = '53300'
