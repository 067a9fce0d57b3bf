import type { FastifyInstance } from 'fastify'
import { customerSchema } from '#contract/customers.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import type { Log } from '#server/http/log.ts'
import { eraseCustomer, exportCustomer } from './customer-data.ts'

const admin = { config: { access: 'admin' } } as const

/** One customer's data. Logged with the admin, and without the customer. */
export function mountPrivacy(
  app: FastifyInstance,
  { db, log, config }: { db: Db; log: Log; config: Config },
): void {
  app.post(apiRoutes.customerExport, admin, async (request, reply) => {
    const { email } = customerSchema.parse(request.body)
    const data = await exportCustomer(db, email)
    log.info({ admin: signedInAdmin(request).id }, 'The data of a customer was exported')
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="customer.json"')
      .send(data)
  })

  app.post(apiRoutes.customerErase, admin, async (request, reply) => {
    const { email } = customerSchema.parse(request.body)
    const { id } = signedInAdmin(request)
    const erased = await eraseCustomer({ db, dataDir: config.dataDir }, email, id)
    log.info({ admin: id, orders: erased.orders.length }, 'The data of a customer was erased')
    return reply.header('cache-control', 'no-store').send(erased)
  })
}
