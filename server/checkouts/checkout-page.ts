import { hash } from 'node:crypto'
import { z } from 'zod'
import type { LinkCard } from '#contract/link-cards.ts'
import { listOffered, type MethodSettings } from '#contract/payment-methods.ts'
import { apiRoutes } from '#contract/paths.ts'
import { pictureOrigin } from '#contract/pictures.ts'
import { productDraftSchema } from '#contract/products.ts'
import type { CheckoutPageData } from '#contract/public-pages.ts'
import { Refusal } from '#contract/refusals.ts'
import { previewChoice } from '#server/catalog/choice.ts'
import {
  showCheckoutProduct,
  shownVersionOf,
  unsavedId,
  withNote,
  type ProductRow,
} from '#server/catalog/products.ts'
import type { Config } from '#server/config.ts'
import { callsOf } from '#server/http/calls.ts'
import { createNonce, type ReadyBody } from '#server/http/page.ts'
import { findMailLanguage } from '#server/http/page-language.ts'
import { createPaymentPolicy, googlePayHeaders } from '#server/http/security-headers.ts'
import type { ReadFacts } from '#server/http/shop-facts.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import { createLru } from '#server/memoize.ts'
import type { Connection, Payments } from '#server/sumup/payments.ts'
import { chargeFor } from './offer.ts'

/** What the checkout page shows. It is rendered once for all who are shown the same. */
export type CheckoutPage = { body: ReadyBody; policy: string; headers: Record<string, string> }

/** What depends on who opens the page. */
export type Visit = Pick<
  CheckoutPageData,
  'spoken' | 'fewLeft' | 'choice' | 'discount' | 'isCodeInvalid' | 'recentOrder'
> & {
  /** Of buyers' pages, as seen from outside. */
  origin: string
  /** The shop takes cards only, but the payment that this is about may be another. */
  isOtherwise: boolean
}

export type CheckoutPageDeps = {
  web: WebFiles
  config: Config
  readFacts: ReadFacts
  describeLink: (
    product: ProductRow & { isSoldOut?: boolean },
    connection: Connection,
    origin: string,
  ) => LinkCard
}

/** Of about 60 kB each: a page and its compressed copy. */
const maxPages = 200

export function createCheckoutPages(deps: CheckoutPageDeps) {
  const pages = createLru<string, CheckoutPage>(maxPages)

  return function findPage(
    product: ProductRow,
    connection: Connection,
    visit: Visit,
  ): CheckoutPage {
    if (isForOneBuyer(visit)) return renderPage(deps, product, connection, visit)
    const key = keyOf(deps, product, connection, visit)
    const known = pages.get(key)
    if (known) return known
    const page = renderPage(deps, product, connection, visit)
    pages.set(key, page)
    return page
  }
}

function isForOneBuyer({ recentOrder, discount, isOtherwise }: Visit): boolean {
  return recentOrder !== null || discount !== undefined || isOtherwise
}

/** All that a page is made of which is not for one buyer: where any of it differs, it is another page. */
function keyOf(
  { config, readFacts }: CheckoutPageDeps,
  product: ProductRow,
  { account, currency, sdkUrl }: Connection,
  { spoken, origin, fewLeft, choice, isCodeInvalid }: Visit,
): string {
  const { mode, country } = account()
  const ofShop = [config.settingsVersion, readFacts().isTestMode, sdkUrl, currency, mode, country]
  const ofVisit = [spoken.language, origin, fewLeft, choice, isCodeInvalid]
  return JSON.stringify([fingerprintOf(product), ...ofShop, ...ofVisit])
}

const fingerprints = new WeakMap<ProductRow, string>()

/** A short name of a product as it was read: after any change it is another. Made once for each read. */
function fingerprintOf(product: ProductRow): string {
  const known = fingerprints.get(product)
  if (known) return known
  const fingerprint = hash('sha256', JSON.stringify(product))
  fingerprints.set(product, fingerprint)
  return fingerprint
}

function renderPage(
  { web, config, readFacts, describeLink }: CheckoutPageDeps,
  row: ProductRow,
  connection: Connection,
  { origin, isOtherwise, ...shown }: Visit,
): CheckoutPage {
  const product = showCheckoutProduct(row)
  const facts = readFacts()
  const data: CheckoutPageData = {
    product,
    version: shownVersionOf(row, config),
    charge: chargeFor(product, connection.currency),
    link: describeLink(row, connection, origin),
    ...shown,
    ...describeAccount(connection),
    ...describeMethods(config.methods, facts.name ?? product.name),
    shop: isOtherwise ? { ...facts, isMoreThanCards: true } : facts,
  }
  // The sandbox brings wallets of its own.
  const wallets = connection.sandboxUrl ? [] : (data.otherMethods ?? [])
  const policy = createPaymentPolicy(connection.cardFormOrigins, listPictureOrigins(data), wallets)
  // For as long as the page is the same: it allows style tags of SumUp's widget, and no script.
  const nonce = createNonce()
  return {
    body: web.checkoutPage(data, nonce),
    policy: policy(nonce),
    headers: googlePayHeaders(wallets),
  }
}

/** What is the same for all checkouts with an account. */
function describeAccount({ account, sdkUrl }: Connection) {
  const { mode = 'live', country } = account()
  // SumUp requires the ZIP code of US cards.
  return { sdkUrl, mode, needsZipCode: country === 'US' }
}

/** Nothing at all while there is only the card. */
function describeMethods(
  methods: MethodSettings,
  merchantName: string,
): Pick<CheckoutPageData, 'otherMethods' | 'googlePay'> {
  const offered = listOffered(methods)
  if (offered.length === 0) return {}
  const merchantId = offered.includes('google_pay') ? methods.googlePayMerchantId : null
  return { otherMethods: offered, ...(merchantId && { googlePay: { merchantId, merchantName } }) }
}

function listPictureOrigins({ product, choice }: CheckoutPageData): string[] {
  const ofValues = (choice?.values ?? []).map(({ imageUrl }) => imageUrl)
  const shown = [product.imageUrl, product.headerLogoUrl, ...ofValues]
  return [...new Set(shown.flatMap((url) => pictureOrigin(url) ?? []))]
}

type PreviewDeps = Pick<CheckoutPageDeps, 'readFacts' | 'config'> & {
  payments: Payments
  web: WebFiles | undefined
}

const call = callsOf<PreviewDeps>('Products', 'admin')

export const previewCalls = [
  call(`POST ${apiRoutes.productPreview}`, {
    summary: 'Renders the checkout page of an unfinished product.',
    note: 'What is not valid yet is shown as a placeholder.',
    body: productDraftSchema,
    example: { name: 'Harbour Mug', price: '24.00', currency: 'EUR' },
    answers: { 200: z.object({ html: z.string() }) },
    handle({ web, payments, readFacts, config }, { body: draft }) {
      if (!web) throw new Refusal('call-missing')
      const { choice, ...content } = draft
      const product = { ...withNote(content), id: unsavedId }
      const html = web.checkoutPreview({
        product,
        version: '',
        charge: chargeFor(product, payments.currency),
        recentOrder: null,
        ...(choice && { choice: previewChoice(choice) }),
        link: null,
        spoken: { language: findMailLanguage(config, null), links: [] },
        ...describeAccount(payments.pin()),
        shop: readFacts(),
      })
      return { html }
    },
  }),
]
