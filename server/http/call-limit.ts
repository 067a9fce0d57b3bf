import type { FastifyInstance } from 'fastify'
import { Refusal } from '#contract/refusals.ts'
import { addressToCount } from './client-address.ts'
import { turnsPerMinute } from './turns-per-minute.ts'

/** Far above what a person clicks, far below what hurts. Money and passwords have limits of their own. */
const callsPerMinute = 1_200
/** A bulk action sends one call per order, six at a time: as fast as that goes, and thousands of them. */
const bulkCallsPerMinute = 60_000
const windowMs = 60_000
/** More addresses than this at once is an attack that counting would only help. */
const mostAddresses = 50_000

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    /** Files: browsers ask for many at once and keep them. */
    isFile?: true
    /** Sent by the thousand, by admins: counted apart. Whoever is no admin counts as everywhere. */
    isBulk?: true
  }
}

/** Counts every call of an address in this process, known or unknown, allowed or not, before anything costs us. */
export function limitCalls(app: FastifyInstance, most = callsPerMinute): void {
  const windows = new Map<string, { calls: number; endsAt: number }>()
  const countBulk = turnsPerMinute(bulkCallsPerMinute)
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.isFile) return
    const now = performance.now()
    const address = addressToCount(request.ip)
    let window = windows.get(address)
    if (!window || window.endsAt <= now) {
      if (windows.size >= mostAddresses) windows.clear()
      window = { calls: 0, endsAt: now + windowMs }
      windows.set(address, window)
    }
    window.calls += 1
    if (window.calls > most) {
      throw new Refusal('too-many-requests', { retryAfter: (window.endsAt - now) / 1000 })
    }
  })
  // After the guards: by now it is known who asks.
  app.addHook('preParsing', async (request) => {
    if (!request.routeOptions.config.isBulk || !request.admin) return
    const window = windows.get(addressToCount(request.ip))
    if (window) window.calls -= 1
    countBulk(request.admin.id)
  })
}
