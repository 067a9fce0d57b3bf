import type { Page } from 'playwright-core'
import { defaultMethods, type OtherMethod } from '#contract/payment-methods.ts'
import { changeConfig } from '#server/testing/prices.ts'
import type { openBrowserShop } from './browser-shop.ts'
import { fillDelivery, waitForCardForm } from './checkout-page.ts'

/* The other ways to pay than the card, as buyers meet them. */

/** What the owner has switched on. */
export function offerMethods(
  shop: Awaited<ReturnType<typeof openBrowserShop>>,
  otherMethods: OtherMethod[],
): void {
  const googlePayMerchantId = 'BCR2DN4TX7Q3RZ2K'
  changeConfig(shop, { methods: { ...defaultMethods, otherMethods, googlePayMerchantId } })
}

export const otherWays = (page: Page) => page.getByRole('button', { name: 'Other ways to pay' })
export const backToCard = (page: Page) => page.getByRole('button', { name: 'Back to card' })
export const method = (page: Page, name: string) =>
  page.getByRole('button', { name: `Pay with ${name}` })
/** On the page of a method. */
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

/** Fills in all fields, and brings the other ways to pay in the place of the card form. */
export async function chooseOtherWays(page: Page): Promise<void> {
  await waitForCardForm(page)
  await fillDelivery(page)
  await otherWays(page).click()
  await backToCard(page).waitFor()
}
