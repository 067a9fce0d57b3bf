import { passwordProofSchema } from '#contract/admin.ts'
import { customerData, erasedCustomer } from '#contract/answers/customers.ts'
import { customerSchema } from '#contract/customers.ts'
import { apiRoutes } from '#contract/paths.ts'
import { assertPassword } from '#server/admin/sign-in.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { getActor } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import { eraseCustomer, exportCustomer } from './customer-data.ts'

type PrivacyDeps = { db: Db; config: Pick<Config, 'dataDir' | 'databaseUrl'> }

const example = { email: 'anna@example.com' }

const call = callsOf<PrivacyDeps>('Customers', 'admin')

/** One customer's data. */
export const privacyCalls = [
  call(`POST ${apiRoutes.customerExport}`, {
    summary: 'Exports everything that is stored about one email address.',
    body: customerSchema,
    example,
    answers: { 200: customerData },
    refusals: ['customer-missing'],
    async handle({ db }, { body, request, reply }) {
      const data = await exportCustomer(db, body.email)
      await recordAudit(db, getActor(request), { action: 'customer-exported' })
      reply.header('content-disposition', 'attachment; filename="customer.json"')
      return data
    },
  }),

  call(`POST ${apiRoutes.customerErase}`, {
    summary: 'Erases a customer, keeping what the books need. It cannot be undone.',
    body: customerSchema.extend(passwordProofSchema.shape),
    example: { ...example, password: '…' },
    answers: { 200: erasedCustomer },
    refusals: [
      'customer-missing',
      'customer-order-open',
      'customer-withdrawal-open',
      'customer-in-review',
      'customer-card-under-way',
      'wrong-password',
      'too-many-logins',
    ],
    async handle(deps, { body: { email, password }, request }) {
      const actor = getActor(request)
      await assertPassword(deps.db, actor, password)
      return eraseCustomer(deps, email, actor)
    },
  }),
]
