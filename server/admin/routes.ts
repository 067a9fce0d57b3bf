import type { FastifyInstance } from 'fastify'
import { loginSchema } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { addressToCount } from '#server/http/client-address.ts'
import type { OwnCookie } from '#server/http/own-cookie.ts'
import { closeSession, openSession } from './sessions.ts'
import { signIn } from './sign-in.ts'

export function mountAdmin(app: FastifyInstance, db: Db, cookie: OwnCookie): void {
  app.get(apiRoutes.adminUser, { config: { access: 'admin' } }, async (request, reply) =>
    reply.header('cache-control', 'no-store').send(signedInAdmin(request)),
  )

  app.post(apiRoutes.adminLogin, { config: { access: 'backoffice' } }, async (request, reply) => {
    const login = loginSchema.parse(request.body)
    const admin = await signIn(db, login, addressToCount(request.address))
    // A new session for every sign-in: one planted in the browser before is worth nothing after.
    const old = cookie.read(request)
    if (old) await closeSession(db, old)
    cookie.set(request, reply, await openSession(db, admin.id))
    return reply.header('cache-control', 'no-store').send(admin)
  })

  app.post(apiRoutes.adminLogout, { config: { access: 'backoffice' } }, async (request, reply) => {
    const token = cookie.read(request)
    if (token) await closeSession(db, token)
    cookie.clear(request, reply)
    return reply.code(204).send()
  })
}
