import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkoutPath, pages } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  fillCard,
  fillDelivery,
  getNewestCheckout,
  payButton,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { readStatuses, replaceOrders, shortId, toast } from '#e2e/testing/order-pages.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'
import { openRelay } from '#e2e/testing/relay.ts'

/*
 * What only Chromium can be told here, or is told of owners. A buyer who loses the network at each step, in every
 * browser: e2e/engines/testing/network-stories.ts.
 */

const shop = await openBrowserShop()
const network = await openRelay(shop.address)
const desktop = { viewport: { width: 1280, height: 800 } }

const notice = (page: Page, text: string) =>
  page.getByRole('status').getByText(`The shop cannot be reached right now. ${text}`)

test('a browser that says when it is offline is believed at once, and when it is online again; the notice covers no field in use', async () => {
  const page = await shop.visit({ bypassCSP: true })
  await page.clock.install({ time: 0 })
  await page.goto(checkoutPath(await addMug(shop)))
  await fillDelivery(page)
  await fillCard(page)
  await page.context().setOffline(true)
  await notice(page, 'What you typed is kept').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await assertCoversNoField(page)
  // From here on no timer helps: it is the browser's event alone.
  await page.clock.pauseAt(600_000)
  await payButton(page).click()
  await notice(page, 'Your card has not been sent yet.').waitFor()
  const sent = page.waitForRequest('**/details')
  await page.context().setOffline(false)
  await sent
  // What is not known at once is asked again, by a timer.
  await page.clock.resume()
  await page.waitForURL('**/thank-you/*')
  assert.equal(getNewestCheckout(shop).transactions.length, 1)
})

/** A field with the focus is not behind the notice. */
async function assertCoversNoField(page: Page): Promise<void> {
  await page.setViewportSize({ width: 375, height: 600 })
  const lost = notice(page, 'What you typed is kept')
  await page.getByLabel('First name').first().focus()
  for (let step = 0; step < 4; step += 1) {
    await page.keyboard.press('Tab')
    const isAboveNotice = async () => {
      const [field, box] = [await page.locator(':focus').boundingBox(), await lost.boundingBox()]
      return field !== null && box !== null && field.y + field.height <= box.y
    }
    await assertShows(isAboveNotice, true, `step ${step}`)
  }
}

test('no network for the page’s own script: the page says what to do', async () => {
  const page = await shop.visit({ baseURL: network.address })
  const path = checkoutPath(await addMug(shop))
  const lost = network.cutAt('.js HTTP', { isDelivered: false })
  await page.goto(path)
  await lost
  await page.getByText('If this stays so, your connection was lost.').waitFor()
  network.restore()
  await page.reload()
  await waitForCardForm(page)
})

test('an owner without a network keeps what was typed for a product, and saves it later', async () => {
  const id = await addMug(shop)
  const page = await shop.visitAsAdmin(desktop)
  await page.goto(pages.products)
  await page.getByRole('button', { name: 'Edit Product' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Edit Product' })
  const name = dialog.getByLabel('Product Name')
  await name.fill('Oak chair')
  await page.context().setOffline(true)
  const save = dialog.getByRole('button', { name: 'Update Product' })
  await save.click()
  await toast(page, 'Failed to update product. Please try again.').waitFor()
  await assertShows(() => name.inputValue(), 'Oak chair')
  await page.context().setOffline(false)
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  const [saved] = await shop.db.select().from(products).where(eq(products.id, id))
  assert.equal(saved?.name, 'Oak chair')
})

test('an owner whose network is lost while an order is shipped sees in the end what is true', async () => {
  const [unsent = '', unanswered = ''] = await replaceOrders(shop, {}, {})
  const page = await shop.visitAsAdmin(desktop)
  await page.goto(pages.fulfillment)
  const statusOf = (id: string) =>
    page.getByRole('combobox', { name: `Status of order ${shortId(id)}` })
  await page.route(`**/${unsent}{,/status}`, (route) => route.abort())
  await statusOf(unsent).selectOption('shipped')
  await toast(page, 'Failed to update order status.').waitFor()
  await assertShows(() => statusOf(unsent).inputValue(), 'pending')
  await page.route(`**/${unanswered}{,/status}`, async (route) => {
    if (route.request().method() === 'PATCH') await route.fetch()
    await route.abort()
  })
  const readAgain = page.waitForResponse('**/api/orders?*')
  await statusOf(unanswered).selectOption('shipped')
  await readAgain
  await assertShows(() => readStatuses(shop, [unsent, unanswered]), ['pending', 'shipped'])
  await assertShows(() => statusOf(unanswered).inputValue(), 'shipped')
})

test('an owner without a network keeps a tracking number that was typed', async () => {
  const [id = ''] = await replaceOrders(shop, { status: 'shipped' })
  const page = await shop.visitAsAdmin(desktop)
  await page.goto(`${pages.fulfillment}?tracking=${id}`)
  const dialog = page.getByRole('dialog', { name: /^Tracking of order/ })
  const number = dialog.getByLabel('Tracking number')
  await number.fill('1Z 999 AA1 01 2345 6784')
  await page.context().setOffline(true)
  const save = dialog.getByRole('button', { name: 'Save tracking' })
  await save.click()
  await dialog.getByText('The tracking could not be saved. Please try again.').waitFor()
  await assertShows(() => number.inputValue(), /1Z/)
  await page.context().setOffline(false)
  await save.click()
  await dialog.waitFor({ state: 'detached' })
})
