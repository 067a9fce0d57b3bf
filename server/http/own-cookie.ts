import type { FastifyReply, FastifyRequest } from 'fastify'

export type OwnCookie = ReturnType<typeof ownCookie>

/**
 * A cookie that only the server reads. Behind TLS its name carries the __Host- prefix, which browsers tie to
 * this one host. Whether TLS is in front is known from the connection, or from the addresses the shop is
 * published under; proxies often pass on another host, so theirs is not asked.
 */
export function ownCookie(
  name: string,
  publishedUrls: (string | undefined)[],
  maxAgeSeconds?: number,
) {
  const published = publishedUrls.some((url) => url?.startsWith('https:'))
  const lifetime = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }

  const isSecure = (request: FastifyRequest) => published || request.protocol === 'https'
  const nameFor = (secure: boolean) => (secure ? `__Host-${name}` : name)

  function cookieFor(request: FastifyRequest) {
    const secure = isSecure(request)
    return {
      name: nameFor(secure),
      options: { path: '/', httpOnly: true, sameSite: 'lax', secure, ...lifetime } as const,
    }
  }

  return {
    read: (request: FastifyRequest): string | undefined =>
      request.cookies[nameFor(isSecure(request))],
    set(request: FastifyRequest, reply: FastifyReply, value: string): void {
      const cookie = cookieFor(request)
      reply.setCookie(cookie.name, value, cookie.options)
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      const cookie = cookieFor(request)
      reply.clearCookie(cookie.name, cookie.options)
    },
  }
}
