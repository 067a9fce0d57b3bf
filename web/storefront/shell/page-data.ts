import type { PublicOrder } from '#contract/orders.ts'
import type { CheckoutFormData, ShopContactFacts } from '#contract/public-pages.ts'

import type { Spoken } from './language.ts'

/** What the scripts of a page need of what the server rendered it from. */
export type PageData = { spoken: Spoken } & (
  | ({ page: 'checkout' } & CheckoutFormData)
  | { page: 'thank-you'; order: PublicOrder; shop: ShopContactFacts }
)

export const nonceId = 'csp-nonce'
export const pageDataId = 'page-data'
export const pageRootId = 'root'
export const toastsId = 'toasts'
/** Where the summary names what was chosen. */
export const chosenLineId = 'chosen-value'

/** JSON for a script element: no text in it can end the element or open a comment. */
export function serializePageData(data: PageData): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
