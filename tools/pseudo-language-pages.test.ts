import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ComponentType, ReactNode } from 'react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createServer } from 'vite'
import { reviewReasons } from '#contract/checkouts.ts'
import { languageCodes } from '#contract/languages.ts'
import type { PublicOrder } from '#contract/orders.ts'
import { otherMethodIds } from '#contract/payment-methods.ts'
import type { CheckoutPageData, PageLanguage, ShopFacts } from '#contract/public-pages.ts'
import { defaultDelivery } from '#contract/quotes.ts'
import { nothingReturned } from '#contract/returned-money.ts'
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
  readHtml,
  returns,
  shipment,
  terms,
  time,
} from '#tools/testing/pseudo-language.ts'
import type { FormContent } from '#web/storefront/checkout/form-context.ts'
import { notSoldCodes, type Payment } from '#web/storefront/checkout/payment.ts'

test('forgotten texts are found', () => {
  for (const text of [
    'Sold',
    '⟦Preis⟧ from 1',
    bracket('An {name}').replace('{name}', 'the shop'),
    readHtml('<p title="Close">1</p>'),
    readHtml('<p>⟦Preis⟧: <b>free</b></p>'),
  ])
    assert.notDeepEqual(findForgotten(text), [], text)
  const text = bracket('An {name}, {day}').replace('{name}', '1').replace('{day}', '2. Januar')
  assert.deepEqual(findForgotten(readHtml(`<p class="mt-3">${text}</p>`)), [])
})

const noPolicies = { refund: null, shipping: null, privacy: null, terms: null, withdrawal: null }
const namelessShop: ShopFacts = {
  name: null,
  logoUrl: null,
  email: null,
  postalAddress: null,
  imprint: null,
  vatNumber: null,
  policies: { ...noPolicies, withdrawalFor: 'everyone' },
  delivery: { ...defaultDelivery, countries: ['Germany'] },
  isMoreThanCards: false,
  sendsMails: false,
  isTestMode: false,
}
const wholeShop: ShopFacts = {
  ...namelessShop,
  name: '41',
  email,
  postalAddress: '42\n43',
  imprint: '44',
  vatNumber: '45',
  delivery: {
    countries: ['Germany'],
    prices: [{ countries: ['Germany'], price: '2.00', freeFrom: null }],
    pickup,
  },
  isMoreThanCards: true,
  sendsMails: true,
}
const ownPolicies: ShopFacts = {
  ...wholeShop,
  isTestMode: true,
  policies: {
    refund: '46',
    shipping: 'https://1.2/3',
    privacy: '47',
    terms: '48',
    withdrawal: '49',
    withdrawalFor: 'everyone',
  },
}
const shops = [namelessShop, wholeShop, ownPolicies]
const spoken: PageLanguage = {
  language,
  links: languageCodes.map((code) => ({ code, href: `?${code}` })),
}

const vite = await createServer({
  configFile: false,
  root: 'web',
  publicDir: false,
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true, include: [] },
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
})
after(() => vite.close())
const load = (path: string) => vite.ssrLoadModule(`${import.meta.dirname}/../${path}`)

/** Those that the pages read: Vite loads them apart from Node's. */
const dictionaries = await load('contract/texts/all.ts')
for (const name of [
  'checkoutTextsOf',
  'methodTextsOf',
  'pageTextsOf',
  'priceTextsOf',
  'withdrawalTextsOf',
])
  dictionaries[name][language] = bracket(dictionaries[name][language])

const render = await load('web/storefront/shell/render.tsx')
const assets = { stylesheet: '1', script: '2' }

const plainCheckout: CheckoutPageData = {
  product,
  version: '0',
  charge: { amount: '10.00', currency: 'EUR' },
  sdkUrl: 'https://1.2/3',
  mode: 'live',
  needsZipCode: false,
  recentOrder: null,
  shop: namelessShop,
  link: null,
  spoken,
}
const richCheckout: CheckoutPageData = {
  ...plainCheckout,
  charge: { amount: '9.00', currency: 'CHF' },
  discount: { code: '31', kind: 'amount', amount: '1.00' },
  isCodeInvalid: true,
  mode: 'test',
  otherMethods: otherMethodIds,
  shop: wholeShop,
  fewLeft: 3,
  choice: {
    name: '51',
    values: [
      { id: '52', name: '52', imageUrl: null, fewLeft: 2 },
      { id: '53', name: '53', imageUrl: null, isSoldOut: true },
    ],
  },
}
const onlyPickup = { countries: [], prices: [], pickup }
const checkouts: CheckoutPageData[] = [
  plainCheckout,
  { ...plainCheckout, shop: ownPolicies },
  { ...plainCheckout, shop: { ...wholeShop, delivery: onlyPickup } },
  ...[0, 1, 2].map((minutesAgo) => ({
    ...richCheckout,
    recentOrder: { id, minutesAgo, money: 'paid' as const },
  })),
  { ...plainCheckout, recentOrder: { id, minutesAgo: 2, money: 'paid' } },
]

test('every text of the checkout is in a dictionary', () => {
  for (const [index, data] of checkouts.entries())
    assertBracketed(render.renderCheckout(data, assets), `checkout ${index}`)
})

const open = { checkoutId: '1', sumupCheckoutId: '2' } as never
const payments: Payment[] = [
  { state: 'no-price' },
  { state: 'load-failed', reason: undefined },
  { state: 'ready', checkout: open },
  { state: 'saving', checkout: open, isOther: true },
  { state: 'choosing', checkout: open },
  { state: 'submitted', checkout: open, progress: 'challenge' },
  { state: 'checking', checkout: open },
]

test('every text of the form is in a dictionary, also while it is paid and with every error', async () => {
  const { PaymentSection, PayBar } = await load('web/storefront/checkout/payment-section.tsx')
  const sections = await load('web/storefront/checkout/address-sections.tsx')
  const { ContactSection } = await load('web/storefront/checkout/contact-section.tsx')
  const { ChoiceSection } = await load('web/storefront/checkout/choice-section.tsx')
  const { NoteField } = await load('web/storefront/checkout/fields.tsx')
  const { FormContext } = await load('web/storefront/checkout/form-context.ts')
  const { emptyForm, initialFormState, reduceForm } = await load('web/storefront/checkout/form.ts')
  const show = (part: ComponentType<never>, props: object = {}) =>
    createElement(part as ComponentType<object>, props)
  // The language, with the texts about prices and other ways to pay, is that of the last page.
  render.renderCheckout(richCheckout, assets)
  const none = () => undefined
  const { delivery } = wholeShop
  const data = { ...richCheckout, withdrawal: { scope: 'everyone', policyUrl: null } }
  for (const isPickup of [false, true])
    for (const country of ['', 'Germany'])
      for (const payment of payments) {
        const choices = { ...emptyForm.choices, isPickup, isBillingOther: true }
        const texts = { ...emptyForm.texts, 'shipping-country': country, email: '1@gmial.com' }
        const typed = {
          ...initialFormState,
          form: { choices, texts: { ...texts, 'shipping-phone': '1', 'shipping-postcode': '1' } },
          choosable: { name: '51', ids: ['52'] },
          asked: { label: '1003', isRequired: true },
          hasSavedBuyer: true,
          blurred: { email: true, 'shipping-phone': true, 'shipping-postcode': true },
        }
        const state = reduceForm(typed, { type: 'submitted' })
        const form: FormContent = {
          state,
          dispatch: none,
          clearBuyer: none,
          delivery,
          pickupLines: ['21'],
        }
        const slot = { payment, otherMethods: otherMethodIds, data, chargeText: '9' }
        const parts: ReactNode[] = [
          show(ChoiceSection, { choice: richCheckout.choice }),
          show(ContactSection),
          show(sections.DeliverySection),
          show(NoteField),
          show(sections.ShippingSection, { price: '2' }),
          show(PaymentSection, slot),
          show(sections.BillingSection),
          ...[true, false].map((isLocked) => show(PayBar, { ...slot, isLocked })),
        ]
        const html = renderToStaticMarkup(createElement(FormContext, { value: form }, ...parts))
        assertBracketed(html.replaceAll('@gmail.com', ''), `${payment.state}, ${country}`)
      }
})

test('every panel, toast and notice of the checkout is in a dictionary', async () => {
  const messages = await load('web/storefront/checkout/messages.ts')
  render.renderCheckout(richCheckout, assets)
  const reasons = [...reviewReasons, 'dismissed', 'of a newer server']
  const panels: Payment[] = [
    { state: 'confirming', checkoutId: '1' },
    { state: 'delayed', checkoutId: '1' },
    { state: 'at-bank', checkoutId: '1' },
    { state: 'starting-over' },
    { state: 'order-refused', checkoutId: '1' },
    { state: 'not-found' },
    { state: 'too-many-cards' },
    ...[true, false].flatMap((hasUnknownCard) =>
      notSoldCodes.map((why) => ({ state: 'not-sold' as const, why, hasUnknownCard })),
    ),
    ...reasons.map((reason) => ({ state: 'review' as const, reason })),
  ]
  const said = [
    ...panels.map((payment) => {
      const { icon: _, ...panel } = messages.findPanel(payment)
      return Object.values(panel).flat()
    }),
    ...[...panels, ...payments].map((payment) => messages.describeLostConnection(payment) ?? ''),
    ...[
      messages.widgetError(),
      messages.notReady(),
      messages.incomplete(),
      messages.submissionFailed(),
      messages.orderFailed(),
      messages.paymentFailed(),
      messages.connectionLost(),
      messages.paymentExpired({ hasUnknownCard: true }),
      messages.paymentExpired({ hasUnknownCard: false }),
      messages.detailsNotSaved({ code: 'bad-request', message: 'Wrong' }),
      messages.lookAgain(undefined),
    ].map(({ title, description }) => `${title} ${description}`),
    ...Object.values(messages.bankNotes()),
  ].flat()
  assert.ok(said.length > 50)
  assert.deepEqual(
    said.flatMap((text) => findForgotten(String(text))),
    [],
  )
})

const order: PublicOrder = {
  ...nothingReturned,
  id,
  productId: id,
  product: {
    ...product,
    vatRate: '5.5',
    canWithdraw: true,
    choice: { id: '52', name: '51', value: '52' },
  },
  quantity: 1,
  amount: '11.00',
  currency: 'EUR',
  status: 'pending',
  paymentMethod: 'card',
  customerEmail: email,
  isTest: false,
  isPaid: true,
  isOwn: true,
  customerName: '11 12',
  shippingAddress: address,
  billingAddress: { ...address, city: '16' },
  note: '61',
  terms,
  createdAt: time,
}
test('every text of the thank-you page is in a dictionary', () => {
  const orders: PublicOrder[] = [
    order,
    ...(['processing', 'shipped', 'completed'] as const).flatMap((status) => [
      { ...order, status, shipment },
      { ...order, ...pickedUp, status, isPickup: true as const },
    ]),
    { ...order, isTest: true },
    { ...order, ...pickedUp, isTest: true, isPickup: true },
    { ...order, isPaid: false },
    { ...order, isOwn: false, shippingAddress: { country: 'Germany' } },
    { ...order, paymentMethod: 'paypal' },
    ...returns.map((returned) => ({ ...order, ...returned })),
  ]
  for (const [index, one] of orders.entries())
    for (const shop of shops)
      assertBracketed(render.renderThankYou({ order: one, shop, spoken }, assets), `order ${index}`)
})

test('every text of the other buyers’ pages is in a dictionary', () => {
  const link = {
    url: '1',
    title: '2',
    description: '3',
    siteName: null,
    offer: { name: '4', amount: '10.00', currency: 'EUR' },
    picture: { url: '5', isDrawn: true },
    iconUrl: null,
    isForSale: false,
    isIndexed: false,
  }
  const statement = { name: '11', orderNumber: '81', email }
  const code = 'too-many-requests'
  const problems = [undefined, { code, text: 'Wrong' }, { code, text: 'Wrong', field: 'email' }]
  for (const shop of shops) {
    for (const text of ['Product not found', 'Order not found', 'Page Not Found'])
      assertBracketed(render.renderMissing({ text, shop, spoken }, assets), text)
    for (const reason of ['paused', 'soldOut'])
      assertBracketed(
        render.renderNotForSale({ reason, product, shop, link, spoken }, assets),
        reason,
      )
    for (const step of ['details', 'confirm', 'done'])
      for (const problem of problems) {
        const data = { step, statement, problem, receivedAt: new Date(time), shop, spoken }
        assertBracketed(render.renderWithdrawal(data, assets), step)
      }
  }
  for (const problem of [code, 'unavailable', 'nothing that is known'])
    assertBracketed(
      render.renderProblem({ code: problem, text: 'Wrong', language }, assets),
      problem,
    )
})
