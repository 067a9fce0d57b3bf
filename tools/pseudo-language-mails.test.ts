import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buyerMailKinds, saleMailKinds } from '#contract/mails.ts'
import { defaultSettings } from '#contract/shop-settings.ts'
import { nothingReturned } from '#contract/returned-money.ts'
import { mailTextsOf, pageTextsOf, priceTextsOf, withdrawalTextsOf } from '#contract/texts/all.ts'
import type { MailSettings } from '#server/mail/compose.ts'
import { composeMail } from '#server/mail/messages.ts'
import { composeSaleMail, type EndedSale } from '#server/mail/sale-messages.ts'
import { composeAcknowledgement } from '#server/mail/withdrawal-messages.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'
import {
  address,
  assertBracketed,
  bracket,
  email,
  findForgotten,
  id,
  language,
  pickedUp,
  pickup,
  product,
  returns,
  shipment,
  terms,
  time,
} from '#tools/testing/pseudo-language.ts'

mailTextsOf[language] = bracket(mailTextsOf[language])
pageTextsOf[language] = bracket(pageTextsOf[language])
priceTextsOf[language] = bracket(priceTextsOf[language])
withdrawalTextsOf[language] = bracket(withdrawalTextsOf[language])

const settings: MailSettings = {
  shopName: '41',
  shopEmail: email,
  alertEmail: email,
  mutedAlerts: [],
  announcesSales: true,
  postalAddress: '42\n43',
  vatNumber: '45',
  withdrawal: { scope: 'everyone', policy: null },
  pickup,
  hasMailServer: true,
  buyersLanguage: language,
  openings: defaultSettings.texts,
  from: '41 <1@2.3>',
  origin: 'https://1.2',
  buyerOrigin: 'https://1.2',
  secret: '1'.repeat(32),
}
const paidOrder: PaidOrder = {
  ...nothingReturned,
  id,
  number: 1042,
  productId: id,
  product: { ...product, vatRate: '5.5', choice: { id: '52', name: '51', value: '52' } },
  customerEmail: email,
  customerName: '11 12',
  customerPhone: null,
  shippingAddress: address,
  billingAddress: { ...address, city: '16' },
  quantity: 1,
  amount: '11.00',
  currency: 'EUR',
  status: 'shipped',
  sumupCheckoutId: null,
  sumupTransactionId: null,
  paymentMethod: 'card',
  shipment,
  acceptsNewsAt: null,
  language,
  terms,
  buyerNote: '61',
  erasedAt: null,
  discountCodeId: null,
  isOversold: false,
  isCodeOverused: false,
  isChoiceMissing: false,
  isPieceReturned: false,
  isTest: false,
  isPaid: true,
  linkVersion: 0,
  createdAt: new Date(time),
  updatedAt: new Date(time),
}

test('every text of buyers’ mails is in a dictionary', () => {
  const orders: PaidOrder[] = [
    paidOrder,
    { ...paidOrder, ...pickedUp },
    { ...paidOrder, paymentMethod: 'paypal' },
    { ...paidOrder, isPaid: false, terms: null },
    ...returns.map((returned) => ({ ...paidOrder, ...returned })),
  ]
  const sale: EndedSale = {
    ...nothingReturned,
    refundedAmount: '4.00',
    chargedBackAmount: '6.00',
    product,
    amount: '10.00',
    currency: 'EUR',
    details: { customerEmail: email, shippingAddress: address, acceptsNews: false, language },
    isTest: false,
    state: 'refunded',
    returnedCurrency: null,
    paymentMethod: null,
  }
  const endStates = {
    'payment-returned': 'refunded',
    'not-charged': 'closed',
    'payment-closed': 'dismissed',
  }
  const statement = {
    id,
    orderId: null,
    name: '11',
    orderNumber: '1042',
    email,
    language,
    isLate: false,
    isRepeat: false,
    isTest: false,
    mailId: null,
    createdAt: new Date(time),
    handledAt: null,
    handledBy: null,
    note: null,
  }
  const shopless = { ...settings, shopEmail: undefined, postalAddress: null, vatNumber: null }
  const kinds = buyerMailKinds.filter((kind) => !saleMailKinds.some((one) => one === kind))
  const written = [settings, shopless].flatMap((ofShop) =>
    [false, true].flatMap((isTest) => [
      ...kinds.flatMap((kind) =>
        orders.map((one) => composeMail({ id, kind, amount: '5.00' }, { ...one, isTest }, ofShop)),
      ),
      ...saleMailKinds.flatMap((kind) =>
        [null, 'paypal'].map((paymentMethod) => {
          const ended = { ...sale, isTest, paymentMethod, state: endStates[kind] }
          return composeSaleMail({ id, kind }, ended, ofShop)
        }),
      ),
      composeAcknowledgement({ id }, { ...statement, isTest }, ofShop),
    ]),
  )
  const mails = written.filter((mail) => mail !== undefined)
  assert.ok(mails.length > 80)
  for (const { subject, text, html } of mails) {
    // Addresses of links are no texts, and a test is called so in every language.
    const plain = text.replaceAll(/https:\S+/g, '')
    assert.deepEqual(findForgotten(`${subject.replace('[Test]', '')}\n${plain}`), [], subject)
    assertBracketed(html, subject)
  }
})
