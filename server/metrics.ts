import { createRequire } from 'node:module'
import type * as Prometheus from '@prometheus-io/client'

/*
 * What this process counts, for Prometheus: one set per process, as its memory and CPU are. Label values come from short
 * fixed lists (routes, operations, results), never from what somebody sent: each new one costs memory for good.
 */

/** The whole client takes 0.1 s and 20 MB at every start; its parts a sixth of that. */
const load = createRequire(import.meta.url)
export const Gauge = load('@prometheus-io/client/lib/gauge') as typeof Prometheus.Gauge
export const Registry = load('@prometheus-io/client/lib/registry') as typeof Prometheus.Registry
const Counter = load('@prometheus-io/client/lib/counter') as typeof Prometheus.Counter
const Histogram = load('@prometheus-io/client/lib/histogram') as typeof Prometheus.Histogram

const registry = new Registry()

/** Names of statuses above 99 by their first digit; a client that hung up is neither its own fault nor ours. */
const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx']
/** What nginx calls a request whose client was gone before the response was sent. */
export const clientGoneStatus = 499

const requests = new Histogram({
  name: 'till_http_request_seconds',
  help: 'Time from the headers of a request to the end of its response. Status "gone": the client hung up before.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
})

/** `route` is the template. Requests to no route share one row, whatever their method. */
export function observeRequest(
  method: string,
  route: string,
  status: number,
  seconds: number,
): void {
  const statusClass =
    status === clientGoneStatus ? 'gone' : (statusClasses[Math.floor(status / 100) - 1] ?? '5xx')
  const labels = { method: route === 'none' ? 'any' : method, route, status: statusClass }
  requests.observe(labels, seconds)
}

/** What the shop asks of SumUp. */
export type SumupOperation =
  | 'create-checkout'
  | 'read-checkout'
  | 'find-checkout'
  | 'end-checkout'
  | 'read-account'
  | 'list-history'
  | 'read-transaction'
  | 'refund'

/**
 * `refused`: a definite no. `unavailable`: no answer, half of one, or 5xx, so the outcome is open. `paused`: SumUp asks for a
 * pause (429). `key-refused`: 401 or 403. `not-sent`: the shop itself held the call back, after failures or under load.
 */
export type SumupResult = 'ok' | 'refused' | 'unavailable' | 'paused' | 'key-refused' | 'not-sent'

const sumupCalls = new Histogram({
  name: 'till_sumup_call_seconds',
  help: 'Calls to SumUp by what was asked and how it ended.',
  labelNames: ['operation', 'result'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 3],
  registers: [registry],
})

export function observeSumupCall(
  operation: SumupOperation,
  result: SumupResult,
  seconds: number,
): void {
  sumupCalls.observe({ operation, result }, seconds)
}

const paidToOrder = new Histogram({
  name: 'till_paid_to_order_seconds',
  help: "Time from SumUp's payment to the order in the shop.",
  labelNames: ['test'],
  buckets: [1, 2, 5, 10, 30, 60, 300, 1_800, 86_400],
  registers: [registry],
})

/** SumUp's clock may be ahead of ours. */
export function observeOrder({ isTest, paidAt }: { isTest: boolean; paidAt: Date }): void {
  const seconds = Math.max(0, (Date.now() - paidAt.getTime()) / 1000)
  paidToOrder.observe({ test: String(isTest) }, seconds)
}

const poolWait = new Histogram({
  name: 'till_pool_wait_seconds',
  help: 'Time that a query waited for a database connection. Failed waits count too.',
  buckets: [0.001, 0.01, 0.1, 0.5, 1, 3],
  registers: [registry],
})

export function observePoolWait(seconds: number): void {
  poolWait.observe(seconds)
}

const logLines = new Counter({
  name: 'till_log_lines_total',
  help: 'Lines written to the log at level warn and above.',
  labelNames: ['level'],
  registers: [registry],
})

// An increase is seen only of what was there before.
for (const level of ['warn', 'error', 'fatal']) logLines.inc({ level }, 0)

/** `level` is one of pino's: warn, error or fatal. */
export function countLogLine(level: string): void {
  logLines.inc({ level })
}

let isCollecting = false

/** Memory, CPU, event loop and garbage collection, from the first look on. */
export async function printProcessMetrics(): Promise<string> {
  if (!isCollecting) {
    const { collectDefaultMetrics } = load('@prometheus-io/client') as typeof Prometheus
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
    isCollecting = true
  }
  return registry.metrics()
}
