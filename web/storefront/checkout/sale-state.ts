import type { CheckoutStatus, OpenCheckout } from '#contract/checkouts.ts'
import type { OtherMethod } from '#contract/payment-methods.ts'
import type { ToastContent } from '#web/ui/use-toast.ts'

import type { FreshCheckout } from './checkout-api.ts'
import type { FollowOptions } from './follow-card.ts'
import type { Payment } from './payment.ts'
import type { PollResult } from './status-polling.ts'

/** All that one page knows about its sale. */
export type SaleState = {
  payment: Payment
  /** What the server is asked again and again. Another object starts over. */
  polling: Polling | undefined
  /** Ways to pay beside the card: what the shop offers and SumUp has for this checkout. */
  otherMethods: readonly OtherMethod[]
  /** The checkout whose card was submitted on this page, also before a reload. */
  submittedId: string | undefined
  /** What the card form on the page, or the last one, is known to be. */
  form: FormHealth
  /** A card form is being requested, and no second one is. */
  isOpening: boolean
  /** How often in a row no card form could be shown. */
  failedOpenings: number
  /** Since the card was submitted, the server could not be asked. */
  wasConnectionLost: boolean
  lastWidgetEventMs: number
  /** The card form itself refused the last card, or has failed before it got one: it was not sent. */
  isCardUnsent: boolean
  /** Checkouts with a card whose outcome this page never learned. */
  unknownCards: readonly string[]
  /** What the last event has made necessary, in this order. */
  effects: readonly Effect[]
}

/** 'assumed': it counts as loaded, and has reported nothing. 'failed': after that it did not do what it should. */
type FormHealth = 'loaded' | 'assumed' | 'failed'

/** Without `follow`, beside a widget that works: it may fall silent, or never return from the bank's page. */
export type Polling = {
  checkoutId: string
  follow?: FollowOptions | undefined
}

export const newSale: SaleState = {
  payment: { state: 'loading' },
  polling: undefined,
  otherMethods: [],
  form: 'loaded',
  submittedId: undefined,
  isOpening: false,
  failedOpenings: 0,
  wasConnectionLost: false,
  lastWidgetEventMs: 0,
  isCardUnsent: false,
  unknownCards: [],
  effects: [],
}

/** What happened: by the buyer, the widget, the server or time. */
export type SaleEvent =
  /** `returnedId`: a payment elsewhere has led back here. */
  | { type: 'page-opened'; submittedId: string | undefined; returnedId?: string | undefined }
  | { type: 'checkout-opened'; fresh: FreshCheckout; toast: ToastContent | undefined }
  | { type: 'form-mounted'; checkout: OpenCheckout; form: FormHealth }
  | { type: 'methods-loaded'; methods: readonly OtherMethod[] }
  /** With a checkout if the widget rejected it: the widget may know more about it than the server did. */
  | { type: 'form-failed'; error?: unknown; rejected?: RejectedCheckout; lacksCountry?: boolean }
  /** Time to try again, without a word, to show a card form. */
  | { type: 'reopening-due' }
  /** The buyer has chosen another delivery, which may cost something else. */
  | { type: 'price-changed' }
  | { type: 'renewed'; checkout: OpenCheckout }
  | { type: 'renewal-refused' }
  /** `isOther`: not with the card form. */
  | { type: 'pay-pressed'; isOther?: true }
  | { type: 'details-saved'; checkoutId: string; atMs: number }
  | { type: 'details-refused'; error: unknown; checkoutId: string | undefined; isRenewed: boolean }
  | { type: 'submission-failed' }
  | { type: 'widget-reported'; name: string; body: unknown; atMs: number }
  | { type: 'others-failed' }
  /** Rather the card. */
  | { type: 'back-pressed' }
  /** The browser brings the page back as it was left. */
  | { type: 'page-restored' }
  | { type: 'order-answered'; attempt: OrderAttempt; orderId: string | undefined }
  | { type: 'order-refused'; attempt: OrderAttempt; error: unknown }
  | { type: 'polled'; result: PollResult; atMs: number }
  /** The button of a panel, or of a card form that did not load. */
  | { type: 'try-again-pressed' }
  /** The bank's page was open in the widget, and does not work any more. */
  | { type: 'bank-page-lost' }
  | { type: 'started-over' }
  | { type: 'start-over-refused'; checkoutId: string; error: unknown }

type RejectedCheckout = { checkoutId: string; status: CheckoutStatus | undefined }

/** `report` is the widget's, with the texts that it has for the order. */
export type OrderAttempt = { checkoutId: string; report: unknown }

/** What is to be done, by sale.ts. Besides, it polls what the state names, and removes a form that a panel replaces. */
export type Effect =
  | { type: 'open-form'; toast: ToastContent | undefined; isRepeated: boolean }
  | { type: 'reopen-later'; failedOpenings: number }
  | { type: 'mount-form'; fresh: FreshCheckout }
  | { type: 'mount-others' }
  | { type: 'remove-form' }
  /** Also asks what became of its checkout. */
  | { type: 'give-up-form'; checkoutId: string }
  | { type: 'replace-checkout' }
  | { type: 'scroll-to-form' }
  | { type: 'save-details'; renewsFirst: boolean }
  /** For a card that was faster. */
  | { type: 'save-details-late'; checkoutId: string; isCardUnsent: boolean }
  | { type: 'submit-card' }
  | { type: 'place-order'; attempt: OrderAttempt }
  | { type: 'start-over'; checkoutId: string }
  | { type: 'mark-sold-out' }
  | { type: 'toast'; toast: ToastContent }
  /** Reloads the page or, if that did not help before, shows the toast. */
  | { type: 'reload-page'; reason: string | undefined; otherwise: ToastContent }
  | { type: 'go-to-thank-you'; orderId: string }

export type EffectOf<Type extends Effect['type']> = Extract<Effect, { type: Type }>

/** The state with further effects, after those it has already. */
export function withEffects(sale: SaleState, ...effects: Effect[]): SaleState {
  return { ...sale, effects: [...sale.effects, ...effects] }
}
