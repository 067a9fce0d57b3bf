import { formatMoney } from '#contract/money.ts'
import { absolutePicture, isPictureUrl, type PictureSize } from '#contract/pictures.ts'
import type { OrderRow } from '#server/orders/orders.ts'
import { shopNameOn, type Letterhead } from './letterhead.ts'
import { oneLine } from './one-line.ts'

/** What a letter says, once. HTML and plain text are both written from this. */
export type Content = {
  shopName: string
  logo: string | undefined
  /** What mail programs show beside the subject. */
  preview: string
  title: string
  lead: string
  /** The order that it is about, where it is about one. */
  order: OrderContent | undefined
  sections: { title: string; lines: string[] }[]
  steps: string[]
  button: { label: string; url: string }
  /** A last sentence without its full stop, which may end in an address to write to. */
  closing: { text: string; email?: string } | undefined
}

export type OrderContent = {
  number: string
  item: { name: string; quantity: number; price: string; picture: string | undefined }
  totals: { label: string; value: string }[]
}

/** The part that every letter about an order has. */
export function describeOrder(
  order: OrderRow,
  letterhead: Letterhead,
): { shopName: string; logo: string | undefined; order: OrderContent } {
  const { product, quantity } = order
  const money = formatMoney(order.amount, order.currency)
  return {
    shopName: shopNameOn(order, letterhead),
    logo: maybePicture(product.headerLogoUrl, 'logo', letterhead),
    order: {
      number: order.id,
      item: {
        name: oneLine(product.name),
        quantity,
        price: money,
        picture: maybePicture(product.imageUrl, 'thumb', letterhead),
      },
      totals: [
        { label: 'Subtotal', value: money },
        { label: 'Shipping', value: 'Free' },
        { label: `Total (${order.currency})`, value: money },
      ],
    },
  }
}

export function paymentSection({ paymentMethod }: OrderRow): Content['sections'][number] {
  const isCard = !paymentMethod || paymentMethod === 'card'
  return { title: 'Payment', lines: [isCard ? 'Card' : oneLine(paymentMethod)] }
}

/** A mail is read far from the shop: our own pictures need their whole address there. */
function maybePicture(
  url: string | null,
  size: PictureSize,
  { origin }: Letterhead,
): string | undefined {
  return url && isPictureUrl(url) ? absolutePicture(url, size, origin) : undefined
}
