import type { OrderRow } from './orders.ts'

/** How a sale stands after looking. */
export type Outcome =
  | { is: 'order'; order: OrderRow; isNew: boolean }
  /** Whether SumUp has a payment for it, where SumUp could be asked. */
  | { is: 'waiting'; hasTransaction?: boolean }
  | { is: 'declined' | 'too-many-cards' | 'expired' | 'review' }
