import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Config } from '#server/config.ts'
import { findDatabaseCode, type Db } from '#server/db/database.ts'
import { recordHeartbeat, type ShopNode } from '#server/db/nodes.ts'
import { callsOf } from '#server/http/calls.ts'
import type { Log } from '#server/log.ts'
import { refusedWrites } from './database.ts'
import { fullDisk, isFull } from './machine.ts'

/** Anyone may ask; the database is asked at most this often. */
const checkEveryMs = 1_000
/** A sale that the database refused to write says more than our own small write, but only for so long. */
const refusedWriteMs = 10_000

const otherSettings = 'Another node of this database has other settings: see the log of this one.'

/** Anyone may read the problem; the details are for the log. */
type Checked = { schemaVersion?: number; problem?: string; details?: string }

export type HealthDeps = {
  db: Db
  log: Log
  node: ShopNode
  schemaVersion: number
  /** A database that takes longer than this to answer is not ready to sell. */
  readyWithinMs: number
  isClosing: () => boolean
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'pictureStore'>
}

const call = callsOf<Pick<HealthDeps, 'isClosing'> & { checkReady: () => Promise<Checked> }>(
  'Monitoring',
  'public',
)

/** Live: the process answers. Ready: it can sell, which needs a database of this version that can be written to, and space. */
export const healthCalls = [
  call(`GET ${apiRoutes.healthLive}`, {
    summary: 'Answers while the process runs.',
    answers: { 200: z.object({ status: z.literal('live') }) },
    options: { logLevel: 'warn' },
    handle: () => ({ status: 'live' }),
  }),

  call(`GET ${apiRoutes.healthReady}`, {
    summary: 'Answers 200 while the shop can sell, otherwise 503 with the reason.',
    answers: { 200: z.object({ status: z.literal('ready'), schemaVersion: z.int() }) },
    options: { logLevel: 'warn' },
    async handle({ isClosing, checkReady }) {
      if (isClosing()) throw new Refusal('unavailable', { text: 'The shop is closing.' })
      const { problem, schemaVersion } = await checkReady()
      if (problem) throw new Refusal('unavailable', { text: problem, retryAfter: 2 })
      return { status: 'ready', schemaVersion }
    },
  }),
]

export function openReadiness(
  app: FastifyInstance,
  shop: HealthDeps,
  findFreeBytes: (folder: string) => Promise<number> = readFreeBytes,
): { checkReady: () => Promise<Checked> } {
  const { log, config } = shop
  let refusedWrite: { text: string; at: number } | undefined
  let checked: { result: Promise<Checked>; at: number } | undefined
  let lastProblem: string | undefined

  app.addHook('onError', (_request, _reply, error, done) => {
    const finding = refusedWrites[findDatabaseCode(error)]
    if (finding) refusedWrite = { text: finding.title, at: performance.now() }
    done()
  })

  function checkReady(): Promise<Checked> {
    if (!checked || performance.now() - checked.at > checkEveryMs)
      checked = { result: check(), at: performance.now() }
    return checked.result
  }

  async function check(): Promise<Checked> {
    const found = await checkDatabase()
    const problem = found.problem ?? (await findDiskProblem())
    if (problem !== lastProblem) {
      if (problem) log.error({ problem, details: found.details }, 'The shop is not ready to sell')
      else log.info('The shop is ready to sell again')
    }
    lastProblem = problem
    return { ...found, ...(problem && { problem }) }
  }

  async function checkDatabase(): Promise<Checked> {
    if (refusedWrite && performance.now() - refusedWrite.at < refusedWriteMs)
      return { problem: refusedWrite.text }
    const { promise: timeout, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, shop.readyWithinMs)
    try {
      const heartbeat = await Promise.race([recordHeartbeat(shop.db, shop.node), timeout])
      if (!heartbeat) return { problem: 'The database does not answer in time.' }
      const { schemaVersion, conflict: details } = heartbeat
      if (details) return { schemaVersion, problem: otherSettings, details }
      const isOld = schemaVersion < shop.schemaVersion
      return { schemaVersion, ...(isOld && { problem: 'The database is not migrated yet.' }) }
    } catch (error) {
      log.debug({ err: error }, 'The readiness check failed')
      return {
        problem: refusedWrites[findDatabaseCode(error)]?.title ?? 'The database cannot be reached.',
      }
    } finally {
      clearTimeout(timer)
    }
  }

  /** The disk of the built-in database and of pictures. A node with neither sells without one. */
  async function findDiskProblem(): Promise<string | undefined> {
    if (config.databaseUrl && config.pictureStore) return undefined
    const free = await findFreeBytes(config.dataDir)
    return isFull(free) ? fullDisk.title : undefined
  }

  return { checkReady }
}

async function readFreeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return Infinity
  }
}
