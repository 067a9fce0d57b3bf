import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { maxReviewEntries } from '#contract/checkouts.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { type RefusalCode, refusals } from '#contract/refusals.ts'
import { sql } from '#server/db/drizzle.ts'
import { payments, refunds, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, mails, orders, orderTimeline } from '#server/db/schema.ts'
import { addMug, delivery } from '#server/testing/buyer.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows, findIssuesAtBothWidths, pressEscapeIn } from '#e2e/testing/page-checks.ts'
import {
  addOpenRefund,
  addStrayPayment,
  losePaidSale,
  payWithoutDetails,
} from '#e2e/testing/review-payments.ts'
import {
  listedRows,
  repeatOrder,
  replaceOrders,
  shortId,
  toast,
  waitForToast,
} from '#e2e/testing/order-pages.ts'

const shop = await openBrowserShop()
const productId = await addMug(shop)

const desktop = { width: 1280, height: 800 }
const page = await shop.visitAsAdmin({
  viewport: desktop,
  bypassCSP: true,
  permissions: ['clipboard-read', 'clipboard-write'],
})

beforeEach(async () => {
  await page.unrouteAll()
  await page.setViewportSize(desktop)
  // Not open any more, it asks for nothing while the tables are emptied.
  await page.goto('about:blank')
  for (const table of [reviewEntries, payments, mails, orderTimeline, orders, checkouts])
    await shop.db.delete(table)
})

const cards = page.getByRole('region', { name: /attention/ }).getByRole('listitem')
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

async function openOrders(): Promise<void> {
  await page.goto('/orders')
  await cards.first().waitFor()
}

async function fillDelivery(): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Create order' })
  await dialog.getByLabel('Country').selectOption('Germany')
  for (const [label, text] of Object.entries({
    Email: 'anna@example.com',
    'First name': 'Anna',
    'Last name': 'Muster',
    Address: 'Weg 1',
    Postcode: '10115',
    City: 'Berlin',
  }))
    await dialog.getByLabel(label).fill(text)
}

test('a payment without details becomes one order when the owner adds them', async () => {
  await payWithoutDetails(shop, productId)
  await shop.db.update(payments).set({ method: 'paypal' })
  await openOrders()
  await page.getByRole('heading', { name: 'A payment needs your attention' }).waitFor()
  await cards.getByText('Mug · €49.00').waitFor()
  await cards.getByText('The customer paid before telling who they are').waitFor()
  await cards.getByText('PayPal', { exact: true }).waitFor()
  const code = (await cards.locator('dd bdi').first().textContent()) ?? ''
  await cards.getByRole('button', { name: 'Copy transaction code' }).click()
  await toast(page, 'Copied!').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code)

  await press('Create order')
  const dialog = page.getByRole('dialog', { name: 'Create order' })
  const submit = dialog.getByRole('button', { name: 'Create order' })
  await submit.click()
  await toast(page, 'Validation Error').waitFor()
  await dialog.getByText('Enter a last name').waitFor()
  await dialog.getByText('Choose a country we deliver to').waitFor()
  assert.equal(await dialog.getByLabel('Product').count(), 0, 'what is known is not asked for')
  await fillDelivery()
  await submit.dblclick()
  await toast(page, 'Order created').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await cards.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.tagName === 'MAIN')

  const made = await shop.db.select().from(orders)
  assert.equal(made.length, 1)
  const [order] = made
  assert.deepEqual(
    [order?.customerName, order?.customerEmail, order?.shippingAddress.city, order?.amount],
    ['Anna Muster', 'anna@example.com', 'Berlin', '49.00'],
  )
  await listedRows(page).first().getByText('Anna Muster').waitFor()
  await press('View')
  await pressEscapeIn(page.getByRole('dialog', { name: `Order ${shortId(order?.id)}` }))

  await press('Payment archive')
  const archive = page.getByRole('dialog', { name: 'Payment archive' })
  await archive.getByText('Order created').waitFor()
  await archive.getByText(testAdmin.email).waitFor()
  await archive.getByRole('link', { name: shortId(order?.id) }).click()
  await page.getByRole('dialog', { name: `Order ${shortId(order?.id)}` }).waitFor()
  await page.goBack()
  await archive.waitFor()
})

test('a payment is refunded once its amount was confirmed, and an unclear refund is reported as unclear', async () => {
  await payWithoutDetails(shop, productId)
  await openOrders()
  await press('Refund')
  const dialog = page.getByRole('alertdialog', { name: 'Refund €49.00?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await assertShows(() => cards.count(), 1)

  const refund = `**${pathOf(apiRoutes.reviewRefund, { id: '*' }).replace('%2A', '*')}`
  const asked: string[] = []
  await page.route(refund, (route) => {
    asked.push(route.request().url())
    return route.fulfill(refusal('refund-unknown'))
  })
  await press('Refund')
  await dialog.getByRole('button', { name: 'Refund €49.00' }).dblclick()
  await dialog.getByText(refusals['refund-unknown'].text).waitFor()
  assert.equal(asked.length, 1)
  await assertShows(() => page.getByText('Mug · €49.00').count(), 1, 'it stays until that is known')
  await page.unroute(refund)
  await dialog.getByRole('button', { name: 'Refund €49.00' }).click()
  await toast(page, 'Payment refunded').waitFor()
  await cards.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.tagName === 'MAIN')
  await press('Payment archive')
  await page.getByRole('dialog', { name: 'Payment archive' }).getByText('Refunded').waitFor()
})

test('a dismissal needs a note, and is undone from its toast and from the archive', async () => {
  await payWithoutDetails(shop, productId)
  await openOrders()
  await press('Dismiss')
  const dialog = page.getByRole('dialog', { name: 'Dismiss payment' })
  const submit = dialog.getByRole('button', { name: 'Dismiss' })
  await submit.click()
  await dialog.getByText('Please say in a few words why').waitFor()
  await dialog.getByLabel('Note').fill('A test of mine')
  await page.keyboard.press('Escape')
  await waitForToast(page, 'Changes discarded')
  await press('Undo')
  await assertShows(() => dialog.getByLabel('Note').inputValue(), 'A test of mine')
  await submit.click()
  await toast(page, 'Payment dismissed').waitFor()
  await cards.waitFor({ state: 'detached' })
  await press('Undo')
  await toast(page, 'Payment is in review again').waitFor()
  await cards.waitFor()

  await press('Dismiss')
  await dialog.getByLabel('Note').fill('Refunded by hand')
  await submit.click()
  // It hides the list from roles, and closes once the server has confirmed.
  await dialog.waitFor({ state: 'detached' })
  await cards.waitFor({ state: 'detached' })
  await page.goto('/orders?review=archive')
  const archive = page.getByRole('dialog', { name: 'Payment archive' })
  await archive.getByText('Refunded by hand').waitFor()
  await archive.getByText(testAdmin.email).waitFor()
  await archive.getByRole('button', { name: 'Restore' }).click()
  await archive.getByText('Nothing has been resolved yet.').waitFor()
  await archive.getByRole('button', { name: 'Close' }).click()
  await archive.waitFor({ state: 'detached' })
  await cards.waitFor()
  assert.ok(page.url().endsWith('/orders'))
})

test('a payment without a sale becomes an order of the product that the owner chooses', async () => {
  await payWithoutDetails(shop, productId)
  await losePaidSale(shop)
  await openOrders()
  await cards.getByText('Payment without a sale · €49.00').waitFor()
  await cards.getByText('no sale here belongs to it').waitFor()
  await press('Create order')
  const dialog = page.getByRole('dialog', { name: 'Create order' })
  await fillDelivery()
  await dialog.getByRole('button', { name: 'Create order' }).click()
  await dialog.getByText('Choose the product that was bought').waitFor()
  await dialog.getByLabel('Product').selectOption(productId)
  await dialog.getByLabel('Discount code').fill('mugs5')
  await dialog.getByRole('button', { name: 'Create order' }).click()
  await dialog.getByText('This product has no discount code mugs5.').waitFor()
  await dialog.getByLabel('Discount code').fill('')
  await dialog.getByRole('button', { name: 'Create order' }).click()
  await toast(page, 'Order created').waitFor()
  await listedRows(page).first().getByText('Anna Muster').waitFor()
})

test('while it is unknown whether money was taken, no page says that it was', async () => {
  await payWithoutDetails(shop, productId)
  // First: unknown to SumUp, so that a late webhook or the sweep does not find out; nor does one that has begun.
  await shop.db.update(checkouts).set({
    details: delivery,
    nextCheckAt: null,
    sumupCheckoutId: randomUUID(),
    version: sql`version + 1`,
  })
  await shop.db.delete(payments)
  await shop.db.update(reviewEntries).set({ reason: 'lost-at-sumup', paymentId: null })
  await openOrders()
  await cards.getByText('It is not known whether money was taken.').waitFor()
  assert.equal(await cards.getByRole('button', { name: 'Refund' }).count(), 0)
  await press('Create order')
  const dialog = page.getByRole('dialog', { name: 'Create order' })
  await dialog.getByText('only if your SumUp account shows that money was taken').waitFor()
  await dialog.getByText(delivery.shippingAddress.address).waitFor()
  assert.equal(await dialog.getByRole('textbox').count(), 0, 'all of it is known')
})

test('a payment that another admin has resolved leaves the list, and one that fails stays', async () => {
  await payWithoutDetails(shop, productId)
  await openOrders()
  const dismissals = `**${apiRoutes.review}/*/dismiss`
  await page.route(dismissals, (route) => route.fulfill({ status: 503 }))
  await press('Dismiss')
  const dialog = page.getByRole('dialog', { name: 'Dismiss payment' })
  await dialog.getByLabel('Note').fill('A test')
  // Entry and list are read again after a failure: the dialog closes if the payment is gone by then.
  const readAgain = page.waitForResponse((answer) => answer.url().endsWith(apiRoutes.review))
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await toast(page, 'The payment could not be dismissed. Please try again.').waitFor()
  await readAgain
  await assertShows(() => dialog.getByLabel('Note').inputValue(), 'A test')
  await page.unroute(dismissals)

  const headers = await shop.signIn()
  const [entry] = (await shop.app.inject({ url: apiRoutes.review, headers })).json()
  const url = pathOf(apiRoutes.reviewDismiss, { id: entry.id })
  const payload = { note: 'Done by Berta', version: entry.version }
  await shop.app.inject({ method: 'POST', url, headers, payload })
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await toast(page, refusals['review-done'].text).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await cards.waitFor({ state: 'detached' })
})

test('a payment that changed after it was shown is shown anew, and nothing is decided', async () => {
  await payWithoutDetails(shop, productId)
  await openOrders()
  await press('Refund')
  const dialog = page.getByRole('alertdialog')
  await shop.db.update(payments).set({ amount: '1.00' })
  await dialog.getByRole('button', { name: 'Refund €49.00' }).click()
  await dialog.getByText(refusals['review-changed'].text).waitFor()
  await dialog.getByText('SumUp says that €1.00 was paid.').waitFor()
  await dialog.getByRole('button', { name: 'Refund €1.00' }).waitFor()
  assert.deepEqual(await shop.db.select().from(refunds), [])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await cards.getByText('SumUp says that €1.00 was paid.').waitFor()

  await press('Create order')
  await fillDelivery()
  await shop.db.update(payments).set({ amount: '2.00' })
  const form = page.getByRole('dialog', { name: 'Create order' })
  await form.getByRole('button', { name: 'Create order' }).click()
  await form.getByText(refusals['review-changed'].text).waitFor()
  await form.getByText('SumUp says that €2.00 was paid.').waitFor()
  await assertShows(() => form.getByLabel('City').inputValue(), 'Berlin')
  assert.deepEqual(await shop.db.select().from(orders), [])
})

test('while another admin’s refund is open, it is not called refused and nothing else is offered', async () => {
  await payWithoutDetails(shop, productId)
  await openOrders()
  await press('Refund')
  await addOpenRefund(shop)
  await page.getByRole('button', { name: 'Refund €49.00' }).click()
  const dialog = page.getByRole('dialog', { name: 'Payment in review' })
  await dialog.getByText(refusals['review-changed'].text).waitFor()
  await dialog
    .getByText(/^A refund of €49\.00 was asked for on .+ SumUp has not told yet/)
    .waitFor()
  assert.equal(await page.getByText(refusals['refund-refused'].text).count(), 0)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await cards.getByText('nothing else can be decided about this payment').waitFor()
  for (const name of ['Create order', 'Refund', 'Dismiss'])
    await assertShows(() => cards.getByRole('button', { name }).count(), 0, name)

  // The list follows it: once SumUp has refused, the owner may decide again.
  await shop.db.update(refunds).set({ state: 'failed', endedAt: new Date() })
  await cards.getByRole('button', { name: 'Refund' }).waitFor()
})

test('of too many payments that need attention the newest are shown, and the others follow', async () => {
  await payWithoutDetails(shop, productId)
  await addStrayPayment(shop, maxReviewEntries)
  await page.goto('/orders')
  const title = `More than ${maxReviewEntries} payments need your attention`
  await page.getByRole('region', { name: title }).waitFor()
  await assertShows(() => cards.count(), maxReviewEntries)
  await cards.first().getByRole('button', { name: 'Dismiss' }).click()
  await page.getByLabel('Note').fill('A test')
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
  await page
    .getByRole('region', { name: `${maxReviewEntries} payments need your attention`, exact: true })
    .waitFor()
})

test('review is free of accessibility faults, on a desktop and a phone', async () => {
  await payWithoutDetails(shop, productId)
  await addStrayPayment(shop)
  await openOrders()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'list')
  const card = cards.filter({ hasText: 'Mug' })
  await card.getByRole('button', { name: 'Create order' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create order' }).click()
  await page.getByText('Enter a city').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'order')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await card.getByRole('button', { name: 'Refund' }).click()
  await page.getByRole('alertdialog').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'refund')
  await page.keyboard.press('Escape')
  await card.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByLabel('Note').fill(delivery.customerEmail)
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'dismissal')
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
  await toast(page, 'Payment dismissed').waitFor()
  await press('Payment archive')
  await page.getByRole('button', { name: 'Restore' }).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'archive')
})

function refusal(code: RefusalCode) {
  const { status, text } = refusals[code]
  return { status, json: { message: text, error: text, code } }
}

test('payments in review that are hidden leave room for four orders, and a new one shows them again', async () => {
  await replaceOrders(shop, ...repeatOrder(8))
  await payWithoutDetails(shop, productId)
  await openOrders()
  const rowsInSight = () =>
    listedRows(page).evaluateAll(
      (rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
    )
  await listedRows(page).first().waitFor()
  assert.ok((await rowsInSight()) < 4)
  await press('Hide')
  await cards.first().waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'A payment needs your attention' }).waitFor()
  await assertShows(async () => (await rowsInSight()) >= 4, true)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.setViewportSize(desktop)

  await page.getByRole('link', { name: 'Products' }).click()
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('button', { name: 'Show', exact: true }).waitFor()
  await addStrayPayment(shop)
  await press('Look for new orders')
  await page.getByRole('heading', { name: '2 payments need your attention' }).waitFor()
  await assertShows(() => cards.count(), 2)
})
