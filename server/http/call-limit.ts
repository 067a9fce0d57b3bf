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
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.isFile) calls.take(addressToCount(request.ip))
    done()
  })
  app.addHook('onRoute', (route) => {
    if (!route.config?.isBulk) return
    // After the guards: by now it is known who asks.
    route.preParsing = async (request) => {
      if (!request.admin) return
      calls.giveBack(addressToCount(request.ip))
      bulkCalls.take(request.admin.id)
    }
  })
}
