import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'
import { appleFilePath } from '#server/links/apple-pay-file.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

test('the owner offers ways to pay beside the card, and is told what each needs', async () => {
  const shop = await openBrowserShop()
  const page = await shop.visitAsAdmin()
  await page.goto('/products?settings=methods')
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  const merchantId = dialog.getByLabel('Google Pay merchant ID')
  const tick = (name: string) => dialog.getByRole('checkbox', { name, exact: true })
  await tick('Google Pay').check()
  await merchantId.fill('BCR 2')
  await tick('Google Pay').uncheck()
  await tick('Apple Pay').check()
  await tick('iDEAL').check()
  await tick('PayPal').check()
  await dialog.getByText(/With PayPal and iDEAL buyers leave the checkout/).waitFor()
  await dialog.getByLabel('Apple Pay domain file').fill('7B22\n7073')
  await dialog.getByLabel('Your password').fill(testAdmin.password)
  await dialog.getByRole('button', { name: 'Save' }).click()
  // Of a method that is off, too: otherwise nobody would know why nothing is saved.
  await dialog.getByText(/Please enter the merchant ID/).waitFor()
  await merchantId.fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').first().waitFor()
  assert.deepEqual(shop.shop.config.methods, {
    otherMethods: ['apple_pay', 'paypal', 'ideal'],
    googlePayMerchantId: null,
    applePayFile: '7B22\n7073',
  })
  assert.equal(await (await page.request.get(appleFilePath)).text(), '7B22\n7073')
  await page.reload()
  await assertShows(() => tick('PayPal').isChecked(), true)
  await assertShows(() => tick('Google Pay').isChecked(), false)
})
