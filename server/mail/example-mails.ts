import type { BuyerMailKind } from '#contract/mails.ts'
import type { Address, ProductAsSold } from '#contract/orders.ts'
import { nothingReturned } from '#contract/returned-money.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'
import type { MailSettings } from './compose.ts'
import { composeMail } from './messages.ts'
import { composeSaleMail, type EndedSale } from './sale-messages.ts'

/** Mails about an order that nobody made, for the owner to look at. */

const noId = '1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d'

const product: ProductAsSold = {
  id: noId,
  name: 'Harbour Mug',
  price: '24.00',
  currency: 'EUR',
  description: null,
  imageUrl: null,
  headerName: null,
  headerLogoUrl: '',
}

const shippingAddress: Address = {
  country: 'Germany',
  firstName: 'Anna',
  lastName: 'Example',
  address: 'Lindenweg 4',
  city: 'Berlin',
  postcode: '10115',
}

const buyer = { customerEmail: 'anna@example.com', customerName: 'Anna Example' }
const price = { amount: '24.00', currency: 'EUR' }

/** The mail as HTML. */
export function renderExample(kind: BuyerMailKind, settings: MailSettings): string {
  const mail = { id: noId, kind }
  switch (kind) {
    case 'confirmation':
    case 'shipped':
      return composeMail(mail, exampleOrder, settings)?.html ?? ''
    case 'refunded':
      return composeMail({ ...mail, amount: price.amount }, refundedOrder, settings)?.html ?? ''
    case 'payment-returned':
      return composeSaleMail(mail, endSale('refunded'), settings)?.html ?? ''
    case 'not-charged':
      return composeSaleMail(mail, endSale('closed'), settings)?.html ?? ''
    case 'payment-closed':
      return composeSaleMail(mail, endSale('dismissed'), settings)?.html ?? ''
  }
}

const exampleOrder: PaidOrder = {
  ...nothingReturned,
  ...buyer,
  ...price,
  id: noId,
  number: 1042,
  productId: noId,
  product,
  customerPhone: null,
  shippingAddress,
  billingAddress: null,
  quantity: 1,
  status: 'shipped',
  sumupCheckoutId: null,
  sumupTransactionId: null,
  paymentMethod: 'card',
  shipment: {
    carrier: 'dhl',
    trackingNumber: '00340434161094042557',
    trackingUrl: 'https://example.com/',
  },
  acceptsNewsAt: null,
  language: null,
  terms: null,
  buyerNote: null,
  erasedAt: null,
  discountCodeId: null,
  isOversold: false,
  isCodeOverused: false,
  isChoiceMissing: false,
  isPieceReturned: false,
  isTest: false,
  isPaid: true,
  linkVersion: 0,
  createdAt: new Date(0),
  updatedAt: new Date(0),
}

function endSale(state: string): EndedSale {
  return {
    ...nothingReturned,
    ...price,
    ...(state === 'refunded' && { refundedAmount: price.amount }),
    product,
    details: { ...buyer, shippingAddress, acceptsNews: false },
    isTest: false,
    state,
    returnedCurrency: null,
    paymentMethod: null,
  }
}

const refundedOrder: PaidOrder = { ...exampleOrder, refundedAmount: price.amount }
