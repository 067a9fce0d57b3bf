import { z } from 'zod'
import type { auditEntry, auditPage } from './answers/admin.ts'

/** Everything that the audit log records, with what its subject is. */
export const auditActions = [
  'sign-in',
  /** These two are merged for each address and hour. */
  'sign-in-failed',
  /** Somebody has the password of an admin, and not (yet) the code. */
  'second-factor-needed',
  'sign-out',
  'second-factor-on',
  'second-factor-off',
  'recovery-code-used',
  /** A signed-in admin, or who borrowed the session, gave a wrong password or code. */
  'confirmation-failed',
  'password-changed',
  /** Subject: the admin's id. Detail: before and after. */
  'email-changed',
  /** Subject of the next two: the admin who was signed out. */
  'session-ended',
  'sessions-ended',
  /** Subject: the e-mail address. */
  'admin-invited',
  'invite-withdrawn',
  /** Subject: the admin's id. */
  'admin-added',
  'admin-disabled',
  'admin-enabled',
  'admin-removed',
  /** Subject: the product's id. */
  'product-created',
  'product-changed',
  'product-deleted',
  'product-restored',
  'product-paused',
  'product-resumed',
  /** Subject: the code's id. */
  'discount-created',
  'discount-changed',
  'discount-deleted',
  /** Subject: the order's id. */
  'order-status',
  /** Detail: the carrier, and the statuses where it was marked as shipped with it. Without the tracking number. */
  'order-shipment',
  'order-shipment-removed',
  /** Detail: the fields, without their values, which are erased with the customer. */
  'order-corrected',
  'confirmation-resent',
  /** Without the text. */
  'order-note-added',
  'order-note-deleted',
  /** Subject: the order's id, or that of a statement that fits no order. */
  'withdrawal-handled',
  'withdrawals-dismissed',
  /** Written before SumUp is asked; one of the next two says how it ended. Detail: amount and currency. */
  'order-refund-begun',
  'order-refund-failed',
  'order-refunded',
  /** Subject: the id of the bulk change. Its parts are the 'order-status' of each order. Detail: the status it gave. */
  'bulk-change',
  'bulk-change-undone',
  'orders-exported',
  /** Subject: the id of the payment in review. */
  'review-ordered',
  /** Written before SumUp is asked; one of the next two says how it ended. */
  'review-refund-begun',
  'review-refund-failed',
  'review-refunded',
  'review-dismissed',
  'review-restored',
  /** Without the customer's name: an erased one is not kept here. */
  'customer-exported',
  'customer-erased',
  'test-data-removed',
  /** Subject: its kind. */
  'notice-dismissed',
  /** After a restore: products whose pieces are counted, before payments since the backup were compared. */
  'counted-sold-again',
  /** Subject: the section. Detail: which fields, with their values unless they are long or secret. */
  'settings-changed',
  'test-mail-sent',
] as const

export type AuditAction = (typeof auditActions)[number]

/** Small facts, such as { price: { from: '10.00', to: '12.00' } }. */
export type AuditDetail = Record<string, unknown>

export type AuditEntry = z.infer<typeof auditEntry>

export type AuditPage = z.infer<typeof auditPage>

const maxPageSize = 200
const limitMessage = `A page has 1 to ${maxPageSize} entries.`
const entryMessage = 'An entry is named by its id.'
const cursorMessage = 'This cursor is not one of ours.'

export const auditPageSchema = z.object({
  action: z.enum(auditActions, 'There is no such action.').optional(),
  adminId: z.uuid('An admin is named by an id.').optional(),
  /** The id of a bulk change's entry: its orders are listed, which are not in the list otherwise. */
  partOf: z
    .string(entryMessage)
    .regex(/^[1-9]\d{0,17}$/, entryMessage)
    .optional(),
  /** The id of the last entry that was read. */
  cursor: z
    .string(cursorMessage)
    .regex(/^[1-9]\d{0,17}$/, cursorMessage)
    .optional(),
  limit: z
    .string(limitMessage)
    .regex(/^\d{1,3}$/, limitMessage)
    .transform(Number)
    .pipe(z.number().min(1, limitMessage).max(maxPageSize, limitMessage))
    .default(50),
})
export type AuditQuery = z.output<typeof auditPageSchema>
