import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

export type Addressed = Pick<FastifyRequest, 'protocol' | 'host'>

/** Where buyers' pages are, as the outside knows them; where that is not set, as this request does. */
export function linkOrigin(
  { customDomain, publicUrl }: Pick<Config, 'customDomain' | 'publicUrl'>,
  { protocol, host }: Addressed,
): string {
  return customDomain ?? publicUrl ?? URL.parse(`${protocol}://${host}`)?.origin ?? ''
}
