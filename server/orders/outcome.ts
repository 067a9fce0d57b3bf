import type { OrderRow } from './orders.ts'

/** How a sale stands after looking. */
export type Outcome =
  | { is: 'order'; order: OrderRow; isNew: boolean }
  | { is: 'waiting' | 'declined' | 'too-many-cards' | 'expired' | 'review' }
