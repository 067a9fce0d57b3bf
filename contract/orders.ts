import type { z } from 'zod'
import type { chosenValue, orderedProduct } from './answers/products.ts'
import type { Shipment } from './carriers.ts'
import type { Language } from './languages.ts'
import type { Mode } from './mode.ts'
import type { CheckoutProduct } from './products.ts'
import type { Terms } from './quotes.ts'
import type { ReturnedMoney } from './returned-money.ts'
import type { WithdrawalScope } from './withdrawals.ts'

export const orderStatuses = ['pending', 'processing', 'shipped', 'completed'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export type Address = {
  country: string
  firstName?: string
  lastName: string
  address: string
  apartment?: string
  city: string
  state?: string
  postcode: string
  phone?: string
}

/** All fields of an address, in the order of the checkout's form. */
export const addressParts = [
  'country',
  'firstName',
  'lastName',
  'address',
  'apartment',
  'city',
  'state',
  'postcode',
  'phone',
] as const satisfies (keyof Address)[]

export function nameOf({ firstName, lastName }: Pick<Address, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter(Boolean).join(' ')
}

/** A snapshot of the product at the time of sale; later edits do not change an order. */
export type ProductAsSold = CheckoutProduct & {
  /** In percent, as it was when the sale began; absent where the shop named none. The price includes it. */
  vatRate?: string
  /** In a sale: who was told of the right of withdrawal when it began. */
  withdrawalFor?: WithdrawalScope
  /** In an order: whether its buyer was told of it, by the country they gave. Absent in one made without a sale. */
  canWithdraw?: boolean
  /** What its buyer chose. Its picture is that of the value, where it has one. */
  choice?: ChosenValue
}

export type ChosenValue = z.infer<typeof chosenValue>

/** What a buyer chose of a product, and the picture that shows it. */
export type Chosen = Required<Pick<ProductAsSold, 'choice' | 'imageUrl'>>

/** What a sale sells: the product as its page showed it, with what the buyer chose. */
export function soldProduct(sale: {
  product: ProductAsSold
  chosen: Chosen | null
}): ProductAsSold {
  return { ...sale.product, ...sale.chosen }
}

/** A product's name with the value that was chosen, such as 'Shirt · M'. */
export function nameWithValue({ name, choice }: { name: string; choice?: ChosenValue }): string {
  return choice ? `${name} · ${choice.value}` : name
}

/** What a buyer wrote is about: the label that they saw. */
export function titleOfNote({
  product,
}: {
  product: { name: string; noteLabel?: string }
}): string {
  // A form from before the owner asked for it knows no label.
  return product.noteLabel ?? product.name
}

/** What a buyer typed, saved before any card is submitted. */
export type CheckoutDetails = {
  customerEmail?: string
  customerName?: string
  customerPhone?: string
  shippingAddress: Address
  billingAddress?: Address
  /** Fetched at the shop's pickup place, whose address is the delivery address then. */
  isPickup?: true
  acceptsNews: boolean
  /** What the product asks buyers to write, such as an engraving. */
  note?: string
  /** Of the page on which it was typed; absent where nobody said. */
  language?: Language
}

/** As the page sends it. `choice`: the id of a value of the product's choice, `choiceName` what the page calls it. */
export type SentDetails = CheckoutDetails & { choice?: string; choiceName?: string }

export type OrderedProduct = z.infer<typeof orderedProduct>

type OrderBase = ReturnedMoney & {
  id: string
  productId: string
  product: OrderedProduct
  quantity: number
  amount: string
  currency: string
  status: OrderStatus
  paymentMethod: string | null
  customerEmail: string | null
  /** What the amount was agreed for; absent where it is the product's price, wherever it goes. */
  terms?: Terms
  /** Paid in test mode: no money was taken, and nothing is to be delivered. */
  isTest: boolean
  /** Fetched at the shop's pickup place, whose address is the delivery address. Absent otherwise. */
  isPickup?: true
  createdAt: string
}

/** An order as its buyer sees it. Others who know its id get the personal parts masked or left out. */
export type PublicOrder = OrderBase & {
  /** Whether SumUp has confirmed the payment. If not, no text may call the order paid. */
  isPaid: boolean
  /** Whether the parts below are complete. */
  isOwn: boolean
  customerName?: string | null
  customerPhone?: string | null
  shippingAddress: Partial<Address> & { country: string }
  billingAddress?: Address | null
  shipment?: Shipment | null
  /** What the buyer wrote, where the product asked for it; for the buyer only. */
  note?: string
}

/** An order as admins see it. */
export type AdminOrder = OrderBase & {
  /** Short, for people. */
  number: number
  customerPhone: string | null
  customerName: string | null
  shippingAddress: Address
  billingAddress: Address | null
  sumupCheckoutId: string | null
  sumupTransactionId: string | null
  /** Carrier and tracking, where an admin gave them. */
  shipment: Shipment | null
  /** When the buyer asked for news and offers. */
  acceptsNewsAt: string | null
  /** An order of the same person for the same product at the same price, shortly before this one. */
  maybeDuplicateOf: string | null
  /** No piece was left when it was paid. Absent otherwise. */
  isOversold?: true
  /** It was paid when its discount code was used up. Absent otherwise. */
  isCodeOverused?: true
  /** It names no value of its product’s choice, so no piece was taken off. Absent otherwise. */
  isChoiceMissing?: true
  /** What the buyer wrote, where the product asked for it. Absent otherwise. */
  note?: string
  /** When the buyer first stated to withdraw from it. */
  withdrawnAt: string | null
  /** When the customer's name, addresses and contact were erased. */
  erasedAt: string | null
  updatedAt: string
}

/** The response header of GET /api/orders with the cursor of the next page; absent on the last page. */
export const nextCursorHeader = 'x-next-cursor'
/** How many rows all pages have. */
export const countHeader = 'x-count'

/** The response header of a status change with the status before it, for undo. */
export const statusBeforeHeader = 'x-status-before'

export type OrderCounts = Record<OrderStatus, number>

/** How many orders a search finds. From `maxFoundOrders` on there may be more. */
export type FoundOrders = { count: number; isMore: boolean }
export const maxFoundOrders = 10_000

/** Enough of an order to select it: what bulk actions change, and what undo restores. */
export type OrderMark = { id: string; status: OrderStatus }

/** The orders with a number that somebody typed, or whose ids begin like it: none, the one that is meant, or the first two. */
export type MatchedOrders = { asked: string; orders: AdminOrder[] }

/** An order that left the shop. */
export function isSent({ status }: { status: string }): boolean {
  return status === 'shipped' || status === 'completed'
}

/** An order's short number or id, or as much of the id's beginning as lists show. */
export function isOrderNumber(text: string): boolean {
  return isShortNumber(text) || isIdBeginning(text)
}

export function isIdBeginning(text: string): boolean {
  return /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i.test(text)
}

/** Such as 1042. */
export function isShortNumber(text: string): boolean {
  return /^[1-9]\d{3,8}$/.test(text)
}

/** Numbers in one call: they are in its address. */
export const maxMatchedNumbers = 100

/** A change of many orders at once, as every admin sees it. */
export type BulkChange = {
  id: string
  /** An admin's e-mail. */
  who: string
  at: string
  to: OrderStatus
  /** How many orders it has changed, and how many of those nobody has changed since. */
  orders: number
  undoable: number
  undoneAt: string | null
  undoneBy: string | null
}

/** What undoing one has done: orders that were changed since are left alone. */
export type UndoneBulkChange = {
  changes: { id: string; from: OrderStatus; to: OrderStatus }[]
  leftAlone: number
}

/** One field of an order that an admin has corrected; null where it was or is empty. */
export type Correction = { field: string; from: string | null; to: string | null }

/** An entry of an order's timeline. */
export type OrderEvent = {
  /** An admin's e-mail, or 'Shop' for what happens automatically. */
  who: string
  at: string
  /** placed, status, tracking-added, tracking-changed, tracking-removed, refunded, charged-back, corrected, confirmation-resent, withdrawn, withdrawal-handled, mail or erased */
  event: string
  from: OrderStatus | null
  to: OrderStatus | null
  /** What was refunded or charged back. */
  amount: string | null
  /** What was corrected; null otherwise, and once the customer was erased. */
  corrections: Correction[] | null
  /** What became of a mail. */
  mail: MailFate | null
}

export const mailStates = [
  'waiting',
  'retrying',
  'sent',
  'given-up',
  /** There was nobody to send it to, or no mail server: then it is kept as a file. */
  'skipped',
  /** Taken back before it was sent. */
  'withdrawn',
] as const

export type MailFate = {
  /** confirmation, shipped or new-sale, for example. */
  kind: string
  state: (typeof mailStates)[number]
  attempts: number
  /** Why it was not sent, or not yet. */
  reason: string | null
}

/** What a buyer may write, where a product asks for it. */
export const maxBuyerNoteLength = 500

/** What an admin wrote about an order, for admins only. */
export type OrderNote = { id: string; who: string; at: string; text: string }
export const maxNoteLength = 2000

/** What was made in test mode and is still there. */
export type TestData = {
  /** In test mode it counts and is listed like anything else; in a live shop it is hidden. */
  mode: Mode
  orders: number
  /** Payments that wait for a decision. */
  reviews: number
}

/** How much of it was removed. */
export type RemovedTestData = { orders: number; payments: number; events: number }

/** How a list of orders is sorted. Amounts are compared as numbers, whatever their currency. */
export const orderSorts = ['newest', 'oldest', 'highest', 'lowest'] as const
export type OrderSort = (typeof orderSorts)[number]

/** `page`: how many orders the back-office shows at first, and loads with each click on 'Load more'. */
export const orderPageSize = { default: 50, page: 100, max: 200 } as const
export const maxSearchLength = 200
