import { z } from 'zod'
import type { customerData, erasedCustomer } from './answers/customers.ts'

/** The customer whose data is exported or erased. Upper and lower case are the same. */
export const customerSchema = z.object({
  email: z.string().trim().max(255).pipe(z.email('Enter a valid email address')),
})

/** Everything stored about one e-mail address. */
export type CustomerData = z.infer<typeof customerData>

export type CustomerEvent = CustomerData['orders'][number]['events'][number]

/** What an erasure did, and what is left. */
export type ErasedCustomer = z.infer<typeof erasedCustomer>
