import type { FastifyReply, FastifyRequest } from 'fastify'

export type OwnCookie = ReturnType<typeof ownCookie>

/**
 * A cookie that only the server reads. Behind TLS its name has the __Host- prefix, which browsers tie to this one
 * host. Whether TLS is used is known from the connection, or from the URLs the shop is published under; proxies often
 * pass on another host, so the Host header does not decide.
 */
export function ownCookie(
  name: string,
  /** As they are now: they can change while the shop runs. */
  listPublishedUrls: () => (string | undefined)[],
  maxAgeSeconds?: number,
) {
  const lifetime = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }

  function describe(request: Pick<FastifyRequest, 'protocol'>) {
    const isPublishedSecurely = listPublishedUrls().some((url) => url?.startsWith('https:'))
    const secure = isPublishedSecurely || request.protocol === 'https'
    return {
      name: secure ? `__Host-${name}` : name,
      options: { path: '/', httpOnly: true, sameSite: 'lax', secure, ...lifetime } as const,
    }
  }

  return {
    read: (request: Pick<FastifyRequest, 'protocol' | 'cookies'>): string | undefined =>
      request.cookies[describe(request).name],
    set(request: FastifyRequest, reply: FastifyReply, value: string): void {
      const cookie = describe(request)
      reply.setCookie(cookie.name, value, cookie.options)
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      const cookie = describe(request)
      reply.clearCookie(cookie.name, cookie.options)
    },
  }
}
