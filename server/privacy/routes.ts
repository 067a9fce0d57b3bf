import type { FastifyInstance } from 'fastify'
import { customerSchema } from '#contract/customers.ts'
import { apiRoutes } from '#contract/paths.ts'
import { assertProof } from '#server/admin/sign-in.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { getActor } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import { eraseCustomer, exportCustomer } from './customer-data.ts'

const admin = { config: { access: 'admin' } } as const

/** One customer's data. */
export function mountPrivacy(
  app: FastifyInstance,
  { db, config }: { db: Db; config: Pick<Config, 'dataDir' | 'databaseUrl'> },
): void {
  app.post(apiRoutes.customerExport, admin, async (request, reply) => {
    const { email } = customerSchema.parse(request.body)
    const data = await exportCustomer(db, email)
    await recordAudit(db, getActor(request), { action: 'customer-exported' })
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="customer.json"')
      .send(data)
  })

  app.post(apiRoutes.customerErase, admin, async (request, reply) => {
    const { email } = customerSchema.parse(request.body)
    const actor = getActor(request)
    await assertProof(db, actor, request.body)
    const erased = await eraseCustomer({ db, config }, email, actor)
    return reply.header('cache-control', 'no-store').send(erased)
  })
}
