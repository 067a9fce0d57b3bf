import type { CurrencyCode } from './currencies.ts'
import type { Language } from './languages.ts'
import type { LinkCard } from './link-cards.ts'
import type { PublicOrder } from './orders.ts'
import type { OtherMethod } from './payment-methods.ts'
import type { Mode } from './mode.ts'
import type { CheckoutProduct } from './products.ts'
import type { DeliverySettings, Discount } from './quotes.ts'
import type { RefusalCode } from './refusals.ts'
import type { ReturnedKind } from './returned-money.ts'
import type { WithdrawalScope, WithdrawalStatement } from './withdrawals.ts'

/** In which language a page is, and where it is in each; no links where the buyer has no choice. */
export type PageLanguage = { language: Language; links: { code: Language; href: string }[] }

/** What buyers can read about the shop. Each policy is a text or the address of a page; without one, our own text is shown. */
export type ShopFacts = {
  name: string | null
  /** For pages that are about no product: a checkout has its product's. */
  logoUrl: string | null
  email: string | null
  postalAddress: string | null
  imprint: string | null
  vatNumber: string | null
  policies: {
    refund: string | null
    shipping: string | null
    privacy: string | null
    terms: string | null
    withdrawal: string | null
    withdrawalFor: WithdrawalScope
  }
  delivery: DeliverySettings
  /** Whether there are other ways to pay. */
  isMoreThanCards: boolean
  /** Without a mail server mails are kept as files, and buyers are not told to expect any. */
  sendsMails: boolean
  /** Then mails to buyers reach the owner alone. */
  isTestMode: boolean
}

/** An order that the same browser made a moment ago. */
export type RecentOrder = {
  id: string
  minutesAgo: number
  /** What its payment came to: `unpaid` is not confirmed, the others went back to the buyer as a whole. */
  money: 'paid' | 'unpaid' | ReturnedKind
}

/** Everything the checkout page is made of, in the first answer already. */
export type CheckoutPageData = {
  product: CheckoutProduct
  /** Of what is shown of the product: a form is opened for nothing else. */
  version: string
  /** What the product costs, which may be charged in another currency than it is priced in. */
  charge: { amount: string; currency: CurrencyCode }
  /** What the code in the link takes off. */
  discount?: Discount
  /** The link has a code that does not count. */
  isCodeInvalid?: true
  /** SumUp's card widget; in test mode the sandbox's. */
  sdkUrl: string
  mode: Mode
  /** Accounts in the United States must ask for the card's ZIP code. */
  needsZipCode: boolean
  /** Ways to pay beside the card; absent: none. */
  otherMethods?: OtherMethod[]
  /** What the widget needs for Google Pay. */
  googlePay?: { merchantId: string; merchantName: string }
  /** An order of this browser for this product in the last half hour, whose thank-you page was seen. */
  recentOrder: RecentOrder | null
  shop: ShopFacts
  /** So many pieces are left, where that is few and the owner tells buyers. */
  fewLeft?: number
  choice?: PageChoice
  /** What others show of the link; null in a preview. */
  link: LinkCard | null
  spoken: PageLanguage
}

/** What the buyer chooses one of. */
export type PageChoice = {
  name: string
  values: {
    id: string
    name: string
    /** Shown instead of the product's. */
    imageUrl: string | null
    isSoldOut?: true
    /** So many are left, where that is few and the owner tells buyers. */
    fewLeft?: number
  }[]
}

export type ShopContactFacts = Pick<ShopFacts, 'name' | 'email'>

/** What the script of the checkout needs of it. The rest, such as long policies, is in the page already. */
export type CheckoutFormData = Omit<
  CheckoutPageData,
  'shop' | 'link' | 'spoken' | 'fewLeft' | 'isCodeInvalid'
> & {
  shop: ShopContactFacts
  /** The total at first, as the server writes it: a browser may write amounts a little differently. */
  chargeText: string
  /** Who is told that they can withdraw, and the owner's own page about it. */
  withdrawal: { scope: WithdrawalScope; policyUrl: string | null }
  delivery: DeliverySettings
  /** Where the order can be picked up, written on the server: the script knows no forms of addresses. */
  pickupLines: string[]
}

/** In place of the checkout of a product whose sale is paused, or of which no piece is left. */
export type NotForSalePageData = {
  reason: 'paused' | 'soldOut'
  product: CheckoutProduct
  shop: ShopFacts
  link: LinkCard
  spoken: PageLanguage
}

/** In place of a page that does not exist. */
export type MissingPageData = {
  text: 'Product not found' | 'Order not found' | 'Page Not Found'
  /** The shop was restored from a backup lately, and may not know an order that was made after it. */
  isRestored?: boolean
  shop: ShopFacts
  spoken: PageLanguage
}

export type ThankYouPageData = { order: PublicOrder; shop: ShopFacts; spoken: PageLanguage }

/** In place of a page that cannot be shown right now. */
export type ProblemPageData = { code: RefusalCode; text: string; language: Language }

/** The form to withdraw, for browsers and pages without script. */
export type WithdrawalPageData = {
  step: 'details' | 'confirm' | 'done'
  /** As it was typed so far. */
  statement: Partial<WithdrawalStatement>
  /** Why the last step was not taken; without a field where it is about none. */
  problem?: { code: RefusalCode; text: string; field?: keyof WithdrawalStatement } | undefined
  receivedAt?: Date
  shop: ShopFacts
  spoken: PageLanguage
}

/** Where the built files of a public page are. */
export type PageAssets = { stylesheet: string; script: string | null }

/** A policy that is an address is a link; any other is shown as text. */
export function isPolicyUrl(value: string): boolean {
  return /^https?:\/\/\S+$/i.test(value) && URL.canParse(value)
}
