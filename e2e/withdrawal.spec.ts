import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkoutPath, thankYouPath } from '#contract/paths.ts'
import { setPaused } from '#server/catalog/products.ts'
import { eq } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { orders, products } from '#server/db/schema.ts'
import { addMug, createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { openCheckoutPage, waitForCardForm } from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'
import { waitForToast } from '#e2e/testing/order-pages.ts'

const shop = await openBrowserShop()
const functionName = 'Withdraw from contract here'
const dialogOf = (page: Page) => page.getByRole('dialog', { name: functionName })
let buyers = 0

/** A paid order, with the cookie of the browser that bought it. */
async function buy(change: Partial<typeof products.$inferInsert> = {}) {
  const buyer = createBuyer(shop, `203.0.113.${(buyers += 1)}`)
  const productId = await addMug(shop)
  if (Object.keys(change).length > 0)
    await shop.db.update(products).set(change).where(eq(products.id, productId))
  const checkoutId = await buyer.arrive(productId)
  await payByCard(shop.sandbox, checkoutId)
  await buyer.order(checkoutId)
  const [order] = await shop.db.select().from(orders).where(eq(orders.sumupCheckoutId, checkoutId))
  if (!order) throw new Error('there is no order')
  return { order, cookie: buyer.cookie() }
}

/** The thank-you page in the browser that bought. */
async function openThankYou({ order, cookie }: Awaited<ReturnType<typeof buy>>): Promise<Page> {
  const page = await shop.visit({ bypassCSP: true })
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: shop.address }])
  await page.goto(thankYouPath(order.id))
  return page
}

test('a buyer without the link withdraws from the foot of a checkout, with the keyboard, on a phone', async () => {
  const { order } = await buy()
  const page = await shop.visit({ bypassCSP: true, viewport: { width: 375, height: 800 } })
  await page.goto(checkoutPath(order.productId))
  await page.getByRole('contentinfo').getByRole('link', { name: functionName }).focus()
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page)
  await dialog.waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await dialog.getByLabel('Your name').focus()
  await page.keyboard.type('Anna Muster')
  await page.keyboard.press('Tab')
  await page.keyboard.type(`#${order.number}`)
  await page.keyboard.press('Tab')
  await page.keyboard.type(delivery.customerEmail)
  await page.keyboard.press('Enter')
  await dialog.getByText('I hereby withdraw from my contract').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  assert.equal(await shop.db.$count(withdrawals), 0, 'nothing is stated before it is confirmed')
  await dialog.getByRole('button', { name: 'Confirm withdrawal', exact: true }).dblclick()
  await dialog.getByText('We have received your withdrawal').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  const [saved, ...more] = await shop.db.select().from(withdrawals)
  assert.deepEqual([saved?.orderId, more.length], [order.id, 0])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('what cannot be an address is told where it was typed, and what was typed stays', async () => {
  const page = await openCheckoutPage(shop)
  await page.getByRole('link', { name: functionName }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Your name').fill('Anna')
  await dialog.getByLabel('Order number').fill('#4711')
  await dialog.getByLabel('Email').fill('anna@localhost')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Confirm withdrawal' }).click()
  const wrong = dialog.getByRole('textbox', {
    name: 'Email',
    description: /^Enter a valid email address/,
  })
  await wrong.waitFor()
  await assertShows(() => wrong.getAttribute('aria-invalid'), 'true')
  await assertShows(() => wrong.evaluate((field) => field === document.activeElement), true)
  assert.equal(await dialog.getByLabel('Order number').inputValue(), '#4711')
  await wrong.fill('anna@example.com')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Change details' }).click()
  await assertShows(() => dialog.getByText('Enter a valid email address').count(), 0)
})

test('without script a buyer withdraws from the page of a paused product, and from a checkout', async () => {
  const { order } = await buy()
  const paused = await addMug(shop)
  await setPaused(shop.db, paused, true)
  const page = await shop.visit({ javaScriptEnabled: false })
  await page.goto(checkoutPath(order.productId))
  const link = page.getByRole('link', { name: functionName })
  await link.click()
  await page.getByRole('heading', { name: functionName }).waitFor()
  await page.goto(checkoutPath(paused))
  await page.getByRole('heading', { name: 'Not for sale right now' }).waitFor()
  await link.click()
  await page.getByLabel('Your name').fill('Anna Muster')
  await page.getByLabel('Order number').fill(`#${order.number}`)
  await page.getByLabel('Email').fill('anna@localhost')
  await page.getByRole('button', { name: 'Continue' }).click()
  const wrong = page.getByRole('textbox', { description: /^Enter a valid email address/ })
  await wrong.fill(delivery.customerEmail)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('I hereby withdraw from my contract').waitFor()
  assert.equal(await shop.db.$count(withdrawals, eq(withdrawals.orderId, order.id)), 0)
  await page.getByRole('button', { name: 'Confirm withdrawal', exact: true }).click()
  await page.getByText('We have received your withdrawal').waitFor()
  assert.equal(await shop.db.$count(withdrawals, eq(withdrawals.orderId, order.id)), 1)
})

test('the form as a page reads well at both widths, also with what is wrong in it', async () => {
  const page = await shop.visit({ bypassCSP: true })
  await page.goto('/nowhere')
  await page.getByRole('link', { name: functionName }).click()
  await page.getByLabel('Your name').fill('Anna Muster')
  await page.getByLabel('Order number').fill('#4711')
  await page.getByLabel('Email').fill('anna@localhost')
  await page.getByRole('button', { name: 'Continue' }).click()
  const wrong = page.getByRole('textbox', { description: /^Enter a valid email address/ })
  await wrong.waitFor()
  await assertShows(() => wrong.evaluate((field) => field === document.activeElement), true)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await wrong.fill('anna@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Confirm withdrawal' }).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'to be confirmed')
})

const notice = 'You can withdraw from this purchase within 14 days.'

test('the notice above Pay now is there for buyers in the EU', async () => {
  const page = await openCheckoutPage(shop)
  const country = page.getByLabel('Country').first()
  await country.selectOption('Canada')
  await page.getByText(notice).waitFor({ state: 'detached' })
  await country.selectOption('France')
  const told = page.getByText(notice)
  await told.waitFor()
  await told.getByRole('link', { name: 'Right of withdrawal' }).click()
  const policy = page.getByRole('dialog', { name: 'Right of withdrawal' })
  await policy.getByText('Model withdrawal form').waitFor()
})

test('from the thank-you page only two presses are left, and the owner refunds it', async () => {
  const bought = await buy()
  const page = await openThankYou(bought)
  await page.getByRole('main').getByRole('link', { name: functionName }).click()
  const dialog = dialogOf(page)
  await assertShows(() => dialog.getByLabel('Email').inputValue(), delivery.customerEmail)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await dialog.getByText('We have received your withdrawal').waitFor()

  const { id } = bought.order
  const admin = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 }, bypassCSP: true })
  await admin.goto('/orders?withdrawn=true')
  const section = admin.getByRole('region', { name: /withdraw/ })
  await section
    .getByText(/^Refund due by/)
    .first()
    .waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(admin), [])
  await admin.goto(`/orders?order=${id}`)
  const panel = admin.getByRole('dialog', { name: /^Order/ })
  await panel.getByText(/^Withdrawn on .+ by Anna Muster\./).waitFor()
  await panel.getByText('Withdrawn by the customer').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(admin), [])
  await admin.setViewportSize({ width: 1280, height: 800 })
  await panel.getByRole('button', { name: 'Refund' }).first().click()
  await admin.getByRole('button', { name: 'Refund €49.00' }).click()
  await waitForToast(admin, 'Refunded')
  await panel.getByText('Settled by the refund.').waitFor()
})

test('neither the page nor the order of an exempt product offers a withdrawal; what is stated anyway is marked as handled', async () => {
  const bought = await buy({ withdrawalExemption: 'personalised' })
  const page = await openThankYou(bought)
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor()
  assert.equal(await page.getByRole('link', { name: functionName }).count(), 0)
  const { id, number, productId } = bought.order
  await page.goto(checkoutPath(productId))
  await waitForCardForm(page)
  await page.getByLabel('Country').first().selectOption('France')
  await assertShows(() => page.getByText(notice).count(), 0)
  const statement = { name: 'Anna', orderNumber: String(number), email: delivery.customerEmail }
  await shop.app.inject({ method: 'POST', url: '/api/withdrawals', payload: statement })
  const admin = await shop.visitAsAdmin()
  await admin.goto(`/orders?order=${id}`)
  const panel = admin.getByRole('dialog', { name: /^Order/ })
  await panel.getByText(/without a right of withdrawal, because it is made to order/).waitFor()
  await panel.getByRole('button', { name: 'Mark as handled' }).click()
  await panel.getByLabel('How was it handled?').fill('No right: engraved')
  await panel.getByRole('button', { name: 'Mark as handled' }).click()
  await waitForToast(admin, 'Withdrawal handled')
  await panel.getByText('No right: engraved').waitFor()
})

test('the owner sees statements without an order apart, loads more of them, and dismisses them together', async () => {
  await shop.db.delete(withdrawals)
  const { order } = await buy()
  const anna = { name: 'Anna', orderNumber: String(order.number), email: delivery.customerEmail }
  await shop.db.insert(withdrawals).values({ ...anna, orderId: order.id, isLate: true })
  const junk = { name: 'Junk', orderNumber: '1', email: 'junk@example.com' }
  await shop.db.insert(withdrawals).values(Array.from({ length: 60 }, () => junk))
  const admin = await shop.visitAsAdmin()
  await admin.goto('/orders')
  const section = admin.getByRole('region', { name: '61 customers withdraw from purchases' })
  await section.getByText(/^Anna,/).waitFor()
  await section.getByText(/as shipped, ready for pickup or completed\./).waitFor()
  await section.getByText('60 without an order, newest first').waitFor()
  await section.getByRole('button', { name: 'Show more of 60' }).click()
  await assertShows(() => section.getByRole('listitem').count(), 51)
  await section.getByRole('button', { name: 'Load more of 60' }).click()
  await assertShows(() => section.getByRole('listitem').count(), 61)
  await section.getByRole('button', { name: 'Dismiss all without an order' }).click()
  await waitForToast(admin, '60 dismissed')
  const left = admin.getByRole('region', { name: 'A customer withdraws from a purchase' })
  await assertShows(() => left.getByRole('listitem').count(), 1)
})
