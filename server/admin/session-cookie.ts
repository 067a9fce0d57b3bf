import type { FastifyReply, FastifyRequest } from 'fastify'

export type SessionCookie = ReturnType<typeof sessionCookie>

/**
 * Behind TLS the name carries the __Host- prefix, which browsers tie to this one host. Whether TLS is
 * in front is known from the connection, or from PUBLIC_URL when the request came in by that name.
 */
export function sessionCookie(publicUrl: string | undefined) {
  const tlsHost = publicUrl?.startsWith('https:') ? new URL(publicUrl).host : undefined

  function cookieFor(request: FastifyRequest) {
    const secure = request.protocol === 'https' || request.host === tlsHost
    return {
      name: secure ? '__Host-till_session' : 'till_session',
      options: { path: '/', httpOnly: true, sameSite: 'lax', secure } as const,
    }
  }

  return {
    read: (request: FastifyRequest): string | undefined => request.cookies[cookieFor(request).name],
    set(request: FastifyRequest, reply: FastifyReply, token: string): void {
      const { name, options } = cookieFor(request)
      reply.setCookie(name, token, options)
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      const { name, options } = cookieFor(request)
      reply.clearCookie(name, options)
    },
  }
}
