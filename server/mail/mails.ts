import type { mails } from '#server/db/schema.ts'
import type { OrderRow } from '#server/orders/orders.ts'
import { maybeConfirmation } from './compose-confirmation.ts'
import { maybeNewSale } from './compose-new-sale.ts'
import type { Letter } from './letter.ts'
import type { Letterhead } from './letterhead.ts'

export type MailRow = typeof mails.$inferSelect

/** Every kind of mail the shop writes. Nothing is written where there is nobody to write to. */
const letters = { confirmation: maybeConfirmation, 'new-sale': maybeNewSale }

export function maybeLetter(
  mail: MailRow,
  order: OrderRow,
  letterhead: Letterhead,
): Letter | undefined {
  if (!isKnown(mail.kind)) throw new Error('a newer version of the shop knows this kind of mail')
  return letters[mail.kind](mail.id, order, letterhead)
}

function isKnown(kind: string): kind is keyof typeof letters {
  return Object.hasOwn(letters, kind)
}
