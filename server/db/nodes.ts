import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { CannotStart } from '#server/cannot-start.ts'
import type { Db } from './database.ts'
import { sql } from './drizzle.ts'

/** What nodes of one database must have in common, so that each can serve what another one made. */
export type NodeFacts = {
  /** Where it runs, for people. */
  name: string
  /** The fingerprint of the session secret. */
  secretPrint: string
  /** `bucket NAME ID` or `folder ID`; without the id where it is not known. */
  pictureStore: string
  /** How many connections it opens at most. */
  poolSize: number
}

/** A running process of the shop. */
export type ShopNode = NodeFacts & { id: string }

export const heartbeatEveryMs = 3_000
/** A node that was not seen for this long is dead, stopped or cut off from the database. */
const aliveSeconds = 10
const pollMs = 500

/** Must differ from all other advisory locks in this database. */
const nodesLock = 7_411_011

type KnownNode = ShopNode & { seenAt: string; isAlive: boolean }

type JoinDeps = {
  db: Db
  /** The database belongs to this process, so that no other can be alive. */
  isAlone: boolean
  /** The limit of PostgreSQL on connections is not about those to a pooler. */
  isPooled: boolean
  say: (line: string) => void
  /** After this time without a heartbeat a node is dead, whatever the clock of the database says. */
  giveUpMs?: number
}

/**
 * Registers this process as a node. Refused while a living node has another session secret or another picture store: what
 * one of them makes, the other could not serve. A node that was killed looks alive for some seconds, or for longer if the
 * database's clock was set back: whether it is, its next heartbeat tells.
 */
export async function joinNodes(facts: NodeFacts, deps: JoinDeps): Promise<ShopNode> {
  const { giveUpMs = aliveSeconds * 1000 } = deps
  const watched = new Map<string, { seenAt: string; since: number }>()
  const isSilent = ({ id, seenAt }: KnownNode) => {
    const before = watched.get(id)
    return before?.seenAt === seenAt && performance.now() - before.since > giveUpMs
  }
  for (;;) {
    const joined = await tryToJoin(facts, deps, isSilent)
    if ('node' in joined) {
      for (const warning of joined.warnings) deps.say(`Warning: ${warning}`)
      return joined.node
    }
    for (const other of joined.conflicts) {
      const before = watched.get(other.id)
      if (before && before.seenAt !== other.seenAt)
        throw new CannotStart(describeConflict(facts, other))
      if (before) continue
      deps.say(`Node ${other.name} has other settings. Waiting to see whether it still runs …`)
      watched.set(other.id, { seenAt: other.seenAt, since: performance.now() })
    }
    await delay(pollMs)
  }
}

type Joined = { node: ShopNode; warnings: string[] } | { conflicts: KnownNode[] }

async function tryToJoin(
  facts: NodeFacts,
  deps: JoinDeps,
  isSilent: (node: KnownNode) => boolean,
): Promise<Joined> {
  return deps.db.transaction(async (tx): Promise<Joined> => {
    const known = await lockNodes(tx)
    const alive = deps.isAlone ? [] : known.filter((node) => node.isAlive && !isSilent(node))
    const conflicts = alive.filter((other) => isUnlike(facts, other))
    if (conflicts.length > 0) return { conflicts }
    const node = { ...facts, id: randomUUID() }
    // The row of this node says from now on what the database knows.
    await tx.execute(
      sql`delete from nodes where id <> all(${sql.param(alive.map(({ id }) => id))}::uuid[])`,
    )
    await insertNode(tx, node)
    const [previous] = known
    const warnings = [
      ...(alive.length === 0 && previous ? describeTakeover(facts, previous) : []),
      ...(deps.isPooled ? [] : await findConnectionShortage(tx, [facts, ...alive], deps.isAlone)),
    ]
    return { node, warnings }
  })
}

/** All nodes, which nobody joins meanwhile. The one that was seen last comes first. */
async function lockNodes(tx: Db): Promise<KnownNode[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(${nodesLock})`)
  return listNodes(tx)
}

const isAlive = sql`(stopped_at is null and seen_at > now() - make_interval(secs => ${aliveSeconds}))`

async function listNodes(db: Db): Promise<KnownNode[]> {
  const { rows } = await db.execute<KnownNode>(sql`
    select id, name, secret_print as "secretPrint", picture_store as "pictureStore", pool_size as "poolSize",
      seen_at::text as "seenAt",
      ${isAlive} as "isAlive"
    from nodes order by seen_at desc`)
  return rows
}

function isUnlike(one: NodeFacts, other: KnownNode): boolean {
  return one.secretPrint !== other.secretPrint || !hasSameStore(one, other)
}

/** By their ids, where both are known. */
function hasSameStore(one: NodeFacts, other: NodeFacts): boolean {
  const [store, otherStore] = [`${one.pictureStore} `, `${other.pictureStore} `]
  return store.startsWith(otherStore) || otherStore.startsWith(store)
}

function describeConflict(facts: NodeFacts, other: KnownNode): string {
  if (facts.secretPrint !== other.secretPrint)
    return (
      `Another node of this database, ${other.name}, has another SESSION_SECRET. Links, webhooks and second factors of one ` +
      'would not work on the other. Give all nodes the same SESSION_SECRET (that of a running node without one is in its ' +
      'DATA_DIR/secret), or stop the other node first.'
    )
  return (
    `Another node of this database, ${other.name}, keeps pictures elsewhere: ${describeStore(other)} there, ` +
    `${describeStore(facts)} here. Pictures uploaded to one would be missing on the other. Give all nodes the same S3_… ` +
    'settings, or stop the other node first.'
  )
}

/** Nobody else is alive, so the owner may well have meant it. */
function describeTakeover(facts: NodeFacts, previous: KnownNode): string[] {
  const warnings = []
  if (facts.secretPrint !== previous.secretPrint)
    warnings.push(
      `SESSION_SECRET is another one than that of ${previous.name}, which ran before. Second factors and links in mails ` +
        'that were made with the old one no longer work; set the old one again to get them back.',
    )
  if (!hasSameStore(facts, previous))
    warnings.push(
      `Pictures are kept in ${describeStore(facts)} now; ${previous.name}, which ran before, kept them in ` +
        `${describeStore(previous)}. Those uploaded there are not shown until they are copied.`,
    )
  return warnings
}

function describeStore({ pictureStore }: Pick<NodeFacts, 'pictureStore'>): string {
  const [kind, name, id] = pictureStore.split(' ')
  if (kind === 'folder') return 'a folder of its own'
  return `the bucket ${name}${id ? ` (${id})` : ''}`
}

async function findConnectionShortage(
  tx: Db,
  nodes: Pick<NodeFacts, 'poolSize'>[],
  isBuiltIn: boolean,
): Promise<string[]> {
  const { usable } = await readConnections(tx)
  const needed = nodes.reduce((sum, { poolSize }) => sum + poolSize, 0)
  if (needed <= usable) return []
  const remedy = isBuiltIn
    ? 'Lower DATABASE_POOL.'
    : 'Lower DATABASE_POOL, raise max_connections, or put a pooler such as PgBouncer in between.'
  return [
    `${nodes.length === 1 ? 'This node' : `${nodes.length} nodes`} may open ${needed} connections, but the database allows ${usable}. ${remedy}`,
  ]
}

/**
 * Whether a shop runs on this database. Only heartbeats tell: connections stay open behind a pooler, and their names can
 * be set in DATABASE_URL.
 */
export async function hasLivingNode(db: Db): Promise<boolean> {
  const read = async () => {
    const alive = (await listNodes(db)).filter(({ isAlive }) => isAlive)
    return new Map(alive.map(({ id, seenAt }) => [id, seenAt]))
  }
  const first = await read()
  const giveUpAt = performance.now() + aliveSeconds * 1000
  for (let now = first; now.size > 0; now = await read()) {
    for (const [id, seenAt] of now) if (first.get(id) !== seenAt) return true
    if (performance.now() > giveUpAt) return false
    await delay(pollMs)
  }
  return false
}

/** The fingerprint of the secret that the shop ran with last. */
export async function findSecretPrint(db: Db): Promise<string | undefined> {
  return (await listNodes(db))[0]?.secretPrint
}

/** How many connections the shop may have, and how many there are. */
export async function readConnections(db: Db): Promise<{ usable: number; used: number }> {
  const { rows } = await db.execute<{ usable: number; used: number }>(sql`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as usable,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`)
  return rows[0] ?? { usable: Infinity, used: 0 }
}

type Heartbeat = {
  schemaVersion: number
  /** Others took over while this node was frozen or cut off, and it does not belong to them. */
  conflict?: string
}

/** Says that the node is alive, which proves that it can write. */
export async function recordHeartbeat(db: Db, node: ShopNode): Promise<Heartbeat> {
  const { rows } = await db.execute<Heartbeat>(sql`
    update nodes set seen_at = now() where id = ${node.id} returning ${schemaVersion}`)
  return rows[0] ?? rejoin(db, node)
}

/** Others removed this node because it was silent for too long. */
async function rejoin(db: Db, node: ShopNode): Promise<Heartbeat> {
  return db.transaction(async (tx) => {
    const known = await lockNodes(tx)
    const other = known.find((candidate) => candidate.isAlive && isUnlike(node, candidate))
    if (!other) return insertNode(tx, node)
    const { rows } = await tx.execute<Heartbeat>(sql`select ${schemaVersion}`)
    return { schemaVersion: 0, ...rows[0], conflict: describeConflict(node, other) }
  })
}

const schemaVersion = sql`(select coalesce(max(version), 0)::int from till_migrations) as "schemaVersion"`

async function insertNode(tx: Db, node: ShopNode): Promise<Heartbeat> {
  const { id, name, secretPrint, pictureStore, poolSize } = node
  const { rows } = await tx.execute<Heartbeat>(sql`
    insert into nodes (id, name, secret_print, picture_store, pool_size)
    values (${id}, ${name}, ${secretPrint}, ${pictureStore}, ${poolSize})
    on conflict (id) do update set seen_at = now() returning ${schemaVersion}`)
  return rows[0] ?? { schemaVersion: 0 }
}

/** What it had stays known, for the warning of a later one that differs. */
export async function leaveNodes(db: Db, { id }: ShopNode): Promise<void> {
  await db.execute(sql`update nodes set stopped_at = now() where id = ${id}`)
}
