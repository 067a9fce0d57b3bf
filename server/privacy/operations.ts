import { customerData, erasedCustomer } from '#contract/answers/customers.ts'
import { customerSchema } from '#contract/customers.ts'
import { passwordProofSchema } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { defineOperations } from '#server/http/openapi.ts'

const example = { email: 'anna@example.com' }

export const privacyOperations = defineOperations('Customers', 'admin', {
  [`POST ${apiRoutes.customerExport}`]: {
    summary: 'Exports everything that is stored about one email address.',
    body: customerSchema,
    example,
    answers: { 200: customerData },
    refusals: ['customer-missing'],
  },
  [`POST ${apiRoutes.customerErase}`]: {
    summary: 'Erases a customer, keeping what the books need. It cannot be undone.',
    body: customerSchema.extend(passwordProofSchema.shape),
    example: { ...example, password: '…' },
    answers: { 200: erasedCustomer },
    refusals: [
      'customer-missing',
      'customer-order-open',
      'customer-in-review',
      'customer-card-under-way',
      'wrong-password',
      'too-many-logins',
    ],
  },
})
