import type { FastifyRequest } from 'fastify'
import type { Desk } from './desk.ts'

/**
 * How the browser that asks reaches us. A shop in front of us says under which of its names it was asked, so
 * that the bank's page is found from every machine from which the shop is.
 */
export function addressFor({ publicUrl }: Desk, { headers }: FastifyRequest): string {
  const { 'x-forwarded-host': host, 'x-forwarded-proto': protocol = 'http' } = headers
  const prefix = headers['x-forwarded-prefix'] ?? ''
  return host === undefined ? publicUrl : `${String(protocol)}://${String(host)}${String(prefix)}`
}
