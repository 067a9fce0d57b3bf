import type { CheckoutPageData, ThankYouPageData } from '#contract/public-pages.ts'

/** What the server rendered with travels in the page, so that the browser starts from the same facts. */
export type PageData =
  | ({ page: 'checkout' } & CheckoutPageData)
  | ({ page: 'thank-you' } & ThankYouPageData)

export const pageDataId = 'page-data'
export const pageRootId = 'root'
export const toastsId = 'toasts'

/** JSON for a script element: no text in it can end the element or open a comment. */
export function writePageData(data: PageData): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}

export function readPageData(json: string): PageData {
  return JSON.parse(json) as PageData
}
