import { formatAddress } from '#contract/addresses.ts'
import { fillText } from '#contract/languages.ts'
import { includedVat } from '#contract/money.ts'
import { nameWithValue, titleOfNote, type Address } from '#contract/orders.ts'
import { nameMethod } from '#contract/payment-methods.ts'
import { findPickupHours } from '#contract/pickup.ts'
import { absolutePicture } from '#contract/pictures.ts'
import { goodsPrice, listPriceLines } from '#contract/price-lines.ts'
import { listReturned } from '#contract/returned-money.ts'
import { nameCountry } from '#contract/texts/countries.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'
import { cleanLines, oneLine, type MailSettings } from './compose.ts'
import type { MailContent } from './render.ts'
import type { Spoken } from './spoken.ts'

/* What mails about an order show of it, to the buyer and to the owner. */

export type DescribedOrder = Pick<MailContent, 'language' | 'shopName' | 'logo'> & {
  order: NonNullable<MailContent['order']>
}

export function describeOrder(
  order: PaidOrder,
  { shopName, origin }: MailSettings,
  spoken: Spoken,
): DescribedOrder {
  const { product, quantity, currency } = order
  const { labels } = spoken.texts
  const showMoney = (amount: string) => spoken.showMoney(amount, currency)
  const price = showMoney(goodsPrice(order))
  return {
    language: spoken.language,
    shopName: oneLine(shopName ?? product.headerName ?? 'Till'),
    logo: absolutePicture(product.headerLogoUrl, 'logo', origin),
    order: {
      number: order.id,
      shortNumber: `#${order.number}`,
      item: {
        name: oneLine(nameWithValue(product)),
        quantity,
        price,
        picture: absolutePicture(product.imageUrl, 'thumb', origin),
      },
      totals: [
        { label: labels.subtotal, value: price },
        ...listPriceLines(order, { ...labels, ...spoken.prices }, showMoney),
        { label: fillText(labels.total, { currency }), value: showMoney(order.amount) },
        ...describeVat(order, spoken),
        ...listReturned(order, spoken.shared.returned.labels).map(({ label, amount }) => ({
          label,
          value: showMoney(amount),
        })),
      ],
    },
  }
}

/** The price includes it. Orders from before the shop named a rate have none. */
function describeVat({ product, amount, currency }: PaidOrder, spoken: Spoken) {
  const { vatRate } = product
  if (vatRate === undefined) return []
  const rate = new Intl.NumberFormat(spoken.locale).format(Number(vatRate))
  const value = spoken.showMoney(includedVat(amount, vatRate), currency)
  return [{ label: fillText(spoken.texts.labels.vat, { rate }), value }]
}

export function paymentSection(
  { paymentMethod }: Pick<PaidOrder, 'paymentMethod'>,
  { texts: { labels } }: Spoken,
): MailContent['sections'][number] {
  return { title: labels.payment, lines: [oneLine(nameMethod(paymentMethod, labels.card))] }
}

/** Where the order goes, or where and when it can be picked up. */
export function deliverySection(
  order: PaidOrder,
  { pickup }: MailSettings,
  spoken: Spoken,
): MailContent['sections'] {
  const { labels } = spoken.texts
  const lines = addressLines(order.shippingAddress, spoken)
  if (!order.terms?.isPickup) return [{ title: labels.shippingAddress, lines }]
  const hours = findPickupHours({ ...order, isPickup: true }, pickup)
  return [
    { title: labels.pickupAt, lines },
    ...(hours ? [{ title: labels.pickupHours, lines: [oneLine(hours)] }] : []),
  ]
}

/** What the buyer wrote, where the product asked for it. */
export function noteSection(order: PaidOrder): MailContent['sections'] {
  const { buyerNote } = order
  if (buyerNote === null) return []
  return [{ title: oneLine(titleOfNote(order)), lines: cleanLines(buyerNote.split('\n')) }]
}

export function addressLines(address: Address, { language }: Spoken): string[] {
  return cleanLines(formatAddress(address, nameCountry(address.country, language)))
}
