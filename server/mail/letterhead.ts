import { domainToASCII } from 'node:url'
import type { OrderRow } from '#server/orders/orders.ts'
import { readMailbox, type Mailbox } from './mailbox.ts'
import { oneLine } from './one-line.ts'

/** Who writes: what every letter of the shop has in common. */
export type Letterhead = {
  shopName: string | undefined
  /** Where buyers reach the owner, and where sales are announced. */
  shopEmail: string | undefined
  /** 'My Shop <shop@example.com>' */
  from: string
  /** The address of the shop as seen from outside, for links and pictures. */
  origin: string
  /** What the link to the order is signed with. */
  secret: string
}

/** Told to programs that answer by themselves: nobody is waiting for their word. */
const automatic = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

export function headOf(
  mailId: string,
  { from }: Letterhead,
): { from: Mailbox; messageId: string; headers: Record<string, string> } {
  const sender = readMailbox(from)
  const host = domainToASCII(sender.address.split('@').at(-1) ?? '') || 'localhost'
  return { from: sender, messageId: `<${mailId}@${host}>`, headers: automatic }
}

/** The name the buyer knows: the shop's, else the one that stood above the checkout. */
export function shopNameOn(order: OrderRow, { shopName }: Letterhead): string {
  return oneLine(shopName ?? order.product.headerName ?? 'Till')
}
