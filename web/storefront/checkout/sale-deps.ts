import type { Country } from '#contract/countries.ts'
import { returnedParameter, thankYouPath } from '#contract/paths.ts'
import type { CheckoutFormData } from '#contract/public-pages.ts'
import { quotePage, requestPrice } from '#web/storefront/shell/price.ts'
import { type ToastContent, toast } from '#web/ui/use-toast.ts'

import { type CardWidget, createCardWidget } from './card-widget.ts'
import { type CheckoutApi, createCheckoutApi, keyOf, track } from './checkout-api.ts'
import { type BuyerForm, toCheckoutDetails, findWish } from './form.ts'
import {
  saveReload,
  type SubmittedCheckout,
  submittedCheckoutOf,
  tellOtherTabs,
} from './storage.ts'

/** Everything outside a sale that it needs. Tests run it without a browser. */
export type SaleDeps = {
  api: CheckoutApi
  widget: CardWidget
  submittedCheckout: SubmittedCheckout
  /** The checkout whose payment has just led back here from elsewhere. */
  takeReturnedId: () => string | undefined
  getDetails: () => ReturnType<typeof toCheckoutDetails>
  /** What the page shows now. `isKnown`: it does not wait for a country. */
  getPrice: () => { key: string; isKnown: boolean }
  /** Where the visitor seems to be. */
  suggestCountry: (country: Country) => void
  /** Of what the buyer chose, nothing is left. */
  markSoldOut: () => void
  /** Of details that were saved here: what those tabs show is no longer what would be delivered. */
  tellOtherTabs: () => void
  showToast: (toast: ToastContent) => void
  goToThankYou: (orderId: string) => void
  /** Because the page shows what is no longer true. Returns false if a reload did not help before. */
  reloadPage: (reason: string | undefined) => boolean
  delay: (ms: number) => Promise<void>
  nowMs: () => number
}

export function createSaleDeps(
  data: CheckoutFormData,
  {
    getForm,
    ...acts
  }: { getForm: () => BuyerForm } & Pick<SaleDeps, 'suggestCountry' | 'markSoldOut'>,
): SaleDeps {
  const productId = data.product.id
  const getRequest = () => requestPrice(data, findWish(getForm()))
  return {
    api: createCheckoutApi(data, getRequest),
    widget: createCardWidget(data, () => getForm().texts.email.trim()),
    submittedCheckout: submittedCheckoutOf(productId),
    takeReturnedId,
    getDetails() {
      const details = toCheckoutDetails(getForm(), data.delivery.pickup)
      const chosen = data.choice?.values.find(({ id }) => id === details.choice)
      return { ...details, ...(chosen && { choiceName: chosen.name }) }
    },
    getPrice: () => ({
      key: keyOf(getRequest()),
      isKnown: quotePage(data, findWish(getForm())) !== 'country-needed',
    }),
    ...acts,
    tellOtherTabs: () => tellOtherTabs(productId),
    showToast: toast,
    goToThankYou(orderId) {
      track({ eventType: 'checkout_complete', productId, orderId })
      // Replaced, so that Back does not lead to a checkout that is paid.
      location.replace(thankYouPath(orderId))
    },
    reloadPage(reason) {
      if (!saveReload(reason)) return false
      location.reload()
      return true
    },
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    nowMs: () => Date.now(),
  }
}

/**
 * SumUp names it in the address. The page may be in another tab or browser than the one that was left, and it proves
 * nothing: the server is asked about it. Also where nothing leaves the page any more. Taken out of the address, so that a reload finds it no more.
 */
function takeReturnedId(): string | undefined {
  const url = new URL(location.href)
  const checkoutId = url.searchParams.get(returnedParameter)
  if (!checkoutId) return undefined
  url.searchParams.delete(returnedParameter)
  history.replaceState(history.state, '', url)
  return checkoutId
}
