import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'

/** Where Apple looks for the file that says whose domain it is. */
export const appleFilePath = '/.well-known/apple-developer-merchantid-domain-association'

/** As plain text, whatever the owner has entered: no browser makes anything else of it. */
export function mountAppleFile(app: FastifyInstance, config: Pick<Config, 'methods'>): void {
  app.get(appleFilePath, { config: { access: 'public' } }, (_request, reply) => {
    const { applePayFile } = config.methods
    if (applePayFile === null) return reply.callNotFound()
    return reply.header('content-type', 'text/plain; charset=utf-8').send(applePayFile)
  })
}
