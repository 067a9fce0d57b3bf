import type { z } from 'zod'
import type {
  address,
  adminOrder,
  bulkChange,
  checkoutDetails,
  correction,
  foundOrders,
  mailFate,
  matchedOrders,
  orderCounts,
  orderEvent,
  orderMark,
  orderNote,
  publicOrder,
  removedTestData,
  testData,
  undoneBulkChange,
} from './answers/orders.ts'
import type { chosenValue, orderedProduct } from './answers/products.ts'
import type { CheckoutProduct } from './products.ts'
import type { WithdrawalScope } from './withdrawals.ts'

export const orderStatuses = ['pending', 'processing', 'shipped', 'completed'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export type Address = z.infer<typeof address>

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

/** The value that a buyer chose of a product, with the picture that shows it. */
export type Chosen = Required<Pick<ProductAsSold, 'choice' | 'imageUrl'>>

/** Joins the product as its page showed it with the value that the buyer chose. */
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
export type CheckoutDetails = z.infer<typeof checkoutDetails>

/** As the page sends it. `choice`: the id of a value of the product's choice, `choiceName` what the page calls it. */
export type SentDetails = CheckoutDetails & { choice?: string; choiceName?: string }

export type OrderedProduct = z.infer<typeof orderedProduct>

/** An order as its buyer sees it. Others who know its id get the personal parts masked or left out. */
export type PublicOrder = z.infer<typeof publicOrder>

/** An order as admins see it. */
export type AdminOrder = z.infer<typeof adminOrder>

/** The response header of GET /api/orders with the cursor of the next page; absent on the last page. */
export const nextCursorHeader = 'x-next-cursor'
/** How many rows all pages have. */
export const countHeader = 'x-count'

/** The response header of a status change with the status before it, for undo. */
export const statusBeforeHeader = 'x-status-before'

export type OrderCounts = z.infer<typeof orderCounts>

/** How many orders a search finds. From `maxFoundOrders` on there may be more. */
export type FoundOrders = z.infer<typeof foundOrders>
export const maxFoundOrders = 10_000

/** Enough of an order to select it: what bulk actions change, and what undo restores. */
export type OrderMark = z.infer<typeof orderMark>

/** The orders with a number that somebody typed, or whose ids begin like it: none, the one that is meant, or the first two. */
export type MatchedOrders = z.infer<typeof matchedOrders>

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
export type BulkChange = z.infer<typeof bulkChange>

/** What undoing one has done: orders that were changed since are left alone. */
export type UndoneBulkChange = z.infer<typeof undoneBulkChange>

/** One field of an order that an admin has corrected; null where it was or is empty. */
export type Correction = z.infer<typeof correction>

/** An entry of an order's timeline. */
export type OrderEvent = z.infer<typeof orderEvent>

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

export type MailFate = z.infer<typeof mailFate>

/** What a buyer may write, where a product asks for it. */
export const maxBuyerNoteLength = 500

/** What an admin wrote about an order, for admins only. */
export type OrderNote = z.infer<typeof orderNote>
export const maxNoteLength = 2000

/** What was made in test mode and is still there. */
export type TestData = z.infer<typeof testData>

/** How much of it was removed. */
export type RemovedTestData = z.infer<typeof removedTestData>

/** How a list of orders is sorted. Amounts are compared as numbers, whatever their currency. */
export const orderSorts = ['newest', 'oldest', 'highest', 'lowest'] as const
export type OrderSort = (typeof orderSorts)[number]

/** `page`: how many orders the back-office shows at first, and loads with each click on 'Load more'. */
export const orderPageSize = { default: 50, page: 100, max: 200 } as const
export const maxSearchLength = 200
