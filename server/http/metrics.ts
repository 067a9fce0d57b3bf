import { statfs } from 'node:fs/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool, PoolClient } from 'pg'
import type { Mode } from '#contract/mode.ts'
import { orderStatuses } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { rememberFor } from '#server/memoize.ts'
import { Gauge, observePoolWait, printProcessMetrics, Registry } from '#server/metrics.ts'
import { isSameText } from '#server/secret.ts'
import { version } from '#server/version.ts'
import { isFromThisMachine, isPublished } from './testers.ts'

/** Several collectors, or an impatient one, cost the database one statement. */
const cacheMs = 5_000

type MetricsDeps = {
  config: {
    metricsToken: string | undefined
    publicUrl: string | undefined
    customDomain: string | undefined
    dataDir: string
    backup: { folder: string | undefined }
  }
  pool: Pool
  /** A database that takes longer than this is down, as far as a scrape is concerned. */
  figuresWithinMs: number
  payments: { account: () => { mode: Mode | undefined }; isKeyRefused: () => boolean }
}

/** GET /metrics, in the text format of Prometheus. A database that is down costs its own figures, never the others. */
export function mountMetrics(app: FastifyInstance, shop: MetricsDeps): void {
  const { pool, config, figuresWithinMs } = shop
  measureWaits(pool)
  const findFigures = rememberFor(cacheMs, (of: Pool) => findFiguresWithin(of, figuresWithinMs))
  const options = {
    config: { access: 'backoffice' },
    logLevel: 'warn',
    exposeHeadRoute: false,
  } as const
  app.get(apiRoutes.metrics, options, async (request, reply) => {
    if (!isAllowed(request, config)) throw new Refusal('metrics-closed')
    const [figures, disk] = await Promise.all([
      findFigures(pool),
      statfs(config.dataDir).catch(() => undefined),
    ])
    const gauges = createGauges()
    gauges.set('till_info', 1, { version, node: process.versions.node })
    gauges.set('till_live', shop.payments.account().mode === 'live' ? 1 : 0)
    gauges.set('till_sumup_key_refused', shop.payments.isKeyRefused() ? 1 : 0)
    gauges.set('till_database_up', figures ? 1 : 0)
    gauges.set('till_pool_connections', pool.idleCount, { state: 'idle' })
    gauges.set('till_pool_connections', pool.totalCount - pool.idleCount, { state: 'busy' })
    gauges.set('till_backup_expected', config.backup.folder ? 1 : 0)
    gauges.set('till_pool_max', pool.options.max)
    gauges.set('till_pool_waiting', pool.waitingCount)
    if (disk) {
      gauges.set('till_disk_free_bytes', disk.bavail * disk.bsize)
      gauges.set('till_disk_size_bytes', disk.blocks * disk.bsize)
    }
    for (const { name, labels, value } of figures ?? []) gauges.set(name, value, labels)
    const text = `${await gauges.print()}\n${await printProcessMetrics()}`
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text)
  })
}

/** The bearer of the token; without one, until the shop has a public address, this machine. */
function isAllowed(
  request: FastifyRequest,
  { metricsToken: token, publicUrl, customDomain }: MetricsDeps['config'],
): boolean {
  const { authorization = '' } = request.headers
  if (token) return isSameText(`Bearer ${token}`, authorization.replace(/^bearer +/i, 'Bearer '))
  return !isPublished([publicUrl, customDomain]) && isFromThisMachine(request)
}

const gaugeTexts = {
  till_info: 'The version of Till and of Node.',
  till_live: '1 if the account takes money, 0 in test mode or while SumUp has not told.',
  till_sumup_key_refused: '1 while SumUp rejects the API key: nobody can pay.',
  till_database_up: '1 if the database answered in time. Without it the figures below are missing.',
  till_pool_connections: 'Connections of this node to the database.',
  till_pool_max: 'How many connections this node may open.',
  till_pool_waiting: 'Queries that wait for a connection right now.',
  till_disk_free_bytes: 'What may still be written to the disk of DATA_DIR.',
  till_disk_size_bytes: 'The size of the disk of DATA_DIR.',
  till_checkouts: 'Payments that are not over, by state. "review" waits for a person.',
  till_oldest_submitted_seconds: 'Age of the oldest payment that was submitted and is not decided.',
  till_sweep_due: 'Payments that the sweep should have looked at by now.',
  till_sweep_overdue_seconds: 'How long the first of them has been due.',
  till_reviews_open: 'Payments that wait for a person. "stray": no sale here has it.',
  till_orders: 'Orders by status.',
  till_mails_unsent: 'Mails that are to be sent.',
  till_oldest_unsent_mail_seconds: 'Age of the oldest of them.',
  till_mails_given_up: 'Mails that were given up in the last day.',
  till_backup_expected: '1 if the shop writes backups every day (BACKUP_DIR).',
  till_backup_age_seconds:
    'Age of the last backup; if all failed, of the first attempt. Missing if there was none.',
} as const

type GaugeName = keyof typeof gaugeTexts
type Labels = Record<string, string>
type Figure = { name: GaugeName; labels: Labels; value: number }

/** New for each scrape: what the database no longer has must not stay. */
function createGauges() {
  const registry = new Registry()
  const gauges = new Map<GaugeName, InstanceType<typeof Gauge>>()
  return {
    set(name: GaugeName, value: number, labels: Labels = {}): void {
      const labelNames = Object.keys(labels)
      const help = gaugeTexts[name]
      const gauge = gauges.get(name) ?? new Gauge({ name, help, labelNames, registers: [registry] })
      gauges.set(name, gauge)
      gauge.set(labels, value)
    },
    print: () => registry.metrics(),
  }
}

const liveStates = ['created', 'open', 'submitted', 'review'] as const

/** A mail is about an order, or about a sale that ended without one. */
const isTestMail = `coalesce((select is_test from orders where orders.id = order_id),
      (select is_test from checkouts where checkouts.id = sale_id), false)`

/**
 * One statement over partial indexes: it reads what is not over. Payments that are over are not counted, that would read the
 * whole table; till_orders has those that became orders, counted in an index of their status.
 */
export const figuresQuery = `
  select 'till_checkouts' as name, 'state' as label, state as label_value, is_test, count(*)::float8 as value
    from checkouts where state = 'open' group by state, is_test
  union all select 'till_checkouts', 'state', state, is_test, count(*)
    from checkouts where state = 'submitted' group by state, is_test
  union all select 'till_checkouts', 'state', state, is_test, count(*)
    from checkouts where state = 'created' and next_check_at is not null group by state, is_test
  union all select 'till_checkouts', 'state', 'review', is_test, count(*)
    from review_entries where state = 'open' and id = sale_id group by is_test
  union all select 'till_reviews_open', 'kind', case when sale_id is null then 'stray' else 'sale' end, is_test, count(*)
    from review_entries where state = 'open' group by 3, is_test
  union all select 'till_oldest_submitted_seconds', null, null, is_test,
      extract(epoch from now() - min(coalesce(details_at, updated_at)))
    from checkouts where state = 'submitted' group by is_test
  union all select 'till_sweep_due', null, null, is_test, count(*)
    from checkouts where next_check_at <= now() group by is_test
  union all select 'till_sweep_overdue_seconds', null, null, is_test, extract(epoch from now() - min(next_check_at))
    from checkouts where next_check_at <= now() group by is_test
  union all select 'till_orders', 'status', status, is_test, count(*) from orders group by status, is_test
  union all select 'till_mails_unsent', null, null, ${isTestMail}, count(*)
    from mails where next_try_at is not null group by 4
  union all select 'till_oldest_unsent_mail_seconds', null, null, ${isTestMail}, extract(epoch from now() - min(created_at))
    from mails where next_try_at is not null group by 4
  union all select 'till_mails_given_up', null, null, ${isTestMail}, count(*)
    from mails where given_up_at > now() - interval '1 day' group by 4
  union all select 'till_backup_age_seconds', null, null, null, greatest(0, extract(epoch from
      now() - coalesce(max(created_at) filter (where failed_at is null), min(created_at))))
    from backups having count(*) > 0`

type FigureRow = {
  name: GaugeName
  label: string | null
  label_value: string | null
  /** Null where tests and sales are not told apart. */
  is_test: boolean | null
  value: number
}

/** Undefined if the database does not answer in time. */
async function findFiguresWithin(pool: Pool, timeoutMs: number): Promise<Figure[] | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), timeoutMs)
  const reading = pool.query<FigureRow>(figuresQuery).catch(() => undefined)
  const result = await Promise.race([reading, timeout])
  clearTimeout(timer)
  return result && [...listZeros(), ...result.rows.map(toFigure)]
}

function toFigure({ name, label, label_value: text, is_test: isTest, value }: FigureRow): Figure {
  const ofLabel = label && text ? { [label]: text } : {}
  const ofTest = isTest === null ? {} : { test: String(isTest) }
  return { name, labels: { ...ofLabel, ...ofTest }, value }
}

/** Groups without rows are missing from the result, and an alert on a missing figure never fires. */
function listZeros(): Figure[] {
  return ['true', 'false'].flatMap((test) => [
    ...liveStates.map((state) => zero('till_checkouts', { state, test })),
    ...orderStatuses.map((status) => zero('till_orders', { status, test })),
    zero('till_reviews_open', { kind: 'sale', test }),
    zero('till_reviews_open', { kind: 'stray', test }),
    zero('till_oldest_submitted_seconds', { test }),
    zero('till_sweep_due', { test }),
    zero('till_sweep_overdue_seconds', { test }),
    zero('till_mails_unsent', { test }),
    zero('till_oldest_unsent_mail_seconds', { test }),
    zero('till_mails_given_up', { test }),
  ])
}

function zero(name: GaugeName, labels: Labels): Figure {
  return { name, labels, value: 0 }
}

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (destroy?: Error | boolean) => void,
) => void

const measured = new WeakSet<Pool>()

/** The pool reports how many wait, not for how long. Its own queries go through `connect` too. */
function measureWaits(pool: Pool): void {
  if (measured.has(pool)) return
  measured.add(pool)
  const connect = pool.connect.bind(pool)
  function connectMeasured(callback?: ConnectCallback): Promise<PoolClient> | void {
    const startedAt = performance.now()
    const observe = () => observePoolWait((performance.now() - startedAt) / 1000)
    if (!callback) return connect().finally(observe)
    connect((error, client, release) => {
      observe()
      callback(error, client, release)
    })
  }
  pool.connect = connectMeasured as Pool['connect']
}
