import type { CheckoutPageData, ThankYouPageData } from '#contract/public-pages.ts'

/** What the server rendered the page from, for the script that hydrates it. */
export type PageData =
  | ({ page: 'checkout' } & CheckoutPageData)
  | ({ page: 'thank-you' } & ThankYouPageData)

export const nonceId = 'csp-nonce'
export const pageDataId = 'page-data'
export const pageRootId = 'root'
export const toastsId = 'toasts'

/** JSON for a script element: no text in it can end the element or open a comment. */
export function serializePageData(data: PageData): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
