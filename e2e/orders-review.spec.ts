import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calls } from '#contract/paths.ts'
import { checkouts } from '#server/db/schema.ts'
import { addMug, delivery } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/browser-shop.ts'
import { toast } from '#e2e/order-stories.ts'

const shop = await openBrowserShop()
const productId = await addMug(shop)

async function havePaymentsInReview(...reasons: string[]) {
  await shop.db.delete(checkouts)
  const headerLogoUrl = 'https://example.com/logo.png'
  for (const [place, reviewReason] of reasons.entries()) {
    await shop.db.insert(checkouts).values({
      productId,
      product: {
        id: productId,
        name: 'Mug',
        price: '49.00',
        currency: 'EUR',
        description: null,
        imageUrl: null,
        headerLogoUrl,
        headerName: null,
      },
      amount: '49.00',
      currency: 'EUR',
      state: 'review',
      buyerTokenHash: '0'.repeat(64),
      sumupCheckoutId: `checkout-${place}`,
      sumupTransactionCode: `TCODE${place}`,
      details: delivery,
      reviewReason,
      validUntil: new Date(),
    })
  }
}

test('payments that need attention stand above the orders until they are dealt with', async () => {
  await havePaymentsInReview('paid 40.00 instead of 49.00 EUR', 'another account was paid')
  const page = await shop.visitAsAdmin({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/orders')
  const section = page.getByRole('region', { name: '2 payments need your attention' })
  await section.getByText('refund it there, or write to the customer').waitFor()
  const payment = section.getByRole('listitem').filter({ hasText: 'TCODE0' })
  await payment.getByText('Mug · €49.00').waitFor()
  await payment.getByText('The customer paid 40.00 instead of 49.00 EUR.').waitFor()
  const mail = payment.getByRole('link', { name: delivery.customerEmail })
  assert.equal(await mail.getAttribute('href'), `mailto:${delivery.customerEmail}`)
  await payment.getByRole('button', { name: 'Copy transaction code' }).click()
  await toast(page, 'Copied!').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'TCODE0')

  await page.route(`**${calls.paymentReview}/**`, (route) => route.fulfill({ status: 503 }))
  await payment.getByRole('button', { name: 'Mark as handled' }).click()
  await toast(page, 'The payment could not be marked as handled. Please try again.').waitFor()
  await page.unroute(`**${calls.paymentReview}/**`)
  await payment.getByRole('button', { name: 'Mark as handled' }).click()
  await toast(page, 'Payment marked as handled').waitFor()
  await page.getByRole('heading', { name: 'A payment needs your attention' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Mark as handled' }).click()
  await page.getByRole('region', { name: /attention/ }).waitFor({ state: 'detached' })
  await page.getByText('No orders yet').waitFor()
})

test('of very many payments that need attention the newest are shown, and the others follow', async () => {
  await havePaymentsInReview(...Array.from({ length: 202 }, () => 'another account was paid'))
  const page = await shop.visitAsAdmin()
  await page.goto('/orders')
  const section = page.getByRole('region', { name: 'More than 200 payments need your attention' })
  await section.waitFor()
  assert.equal(await section.getByRole('listitem').count(), 200)
  await section.getByRole('button', { name: 'Mark as handled' }).first().click()
  await toast(page, 'Payment marked as handled').waitFor()
  await section.waitFor()
  await section.getByRole('button', { name: 'Mark as handled' }).first().click()
  await page.getByRole('region', { name: '200 payments need your attention' }).waitFor()
})
