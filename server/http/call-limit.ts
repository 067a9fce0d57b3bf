import type { FastifyInstance } from 'fastify'
import { addressToCount } from './client-address.ts'
import { turnsPerMinute } from './turns-per-minute.ts'

/** Far above what a person clicks, far below what hurts. Money and passwords have limits of their own. */
const callsPerMinute = 1_200
/** A bulk action sends one call per order, six at a time: as fast as that goes, and thousands of them. */
const bulkCallsPerMinute = 60_000

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    /** Of one address, for a route that is counted by itself. */
    mostPerMinute?: number
    /** Files: browsers ask for many at once and keep them. */
    isFile?: true
    /** Sent by the thousand, by admins: counted apart. Whoever is no admin counts as everywhere. */
    isBulk?: true
  }
}

/** Counts every call of an address in this process, known or unknown, allowed or not, before anything costs us. */
export function limitCalls(app: FastifyInstance, most = callsPerMinute): void {
  const calls = turnsPerMinute(most)
  const bulkCalls = turnsPerMinute(bulkCallsPerMinute)
  const ofRoutes = new Map<string, typeof calls>()
  app.addHook('onRequest', ({ address, routeOptions: { url = '', config } }, _reply, done) => {
    const counted = (config.mostPerMinute && ofRoutes.get(url)) || calls
    if (!config.isFile) counted.take(addressToCount(address))
    done()
  })
  app.addHook('onRoute', (route) => {
    const { mostPerMinute, isBulk } = route.config ?? {}
    if (mostPerMinute) ofRoutes.set(route.url, turnsPerMinute(mostPerMinute))
    if (!isBulk) return
    // After the guards: by now it is known who asks.
    route.preParsing = async (request) => {
      if (!request.admin) return
      calls.giveBack(addressToCount(request.address))
      bulkCalls.take(request.admin.id)
    }
  })
}
