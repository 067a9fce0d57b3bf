import type { FastifyRequest } from 'fastify'

/** The host a request came in by, as one writes it: no port, no final dot, small letters. */
export function hostOf(request: FastifyRequest): string {
  return plainHost(request.hostname)
}

export function plainHost(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
}

export function hostOfUrl(url: string): string {
  return plainHost(new URL(url).hostname)
}
