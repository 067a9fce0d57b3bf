import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testAdmin } from '#server/testing/test-shop.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

test('the owner opens a mail with a sentence of their own, and sees it before it is saved', async () => {
  const page = await shop.visitAsAdmin()
  await page.goto('/products?settings=texts')
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  await dialog.getByLabel('On its way').fill('Enjoy your <mug>!')
  const mail = dialog.frameLocator('iframe[title="Preview: On its way"]')
  await mail.getByText('Enjoy your <mug>!').waitFor()
  await mail.getByText('Your parcel was handed to the carrier.').waitFor()
  const darkened = page.waitForEvent('framenavigated', (frame) => frame.url().includes('look=dark'))
  await dialog.getByRole('button', { name: 'Dark' }).click()
  await darkened
  await mail.getByText('Enjoy your <mug>!').waitFor()
  const colour = await mail
    .locator('body')
    .evaluate((body) => getComputedStyle(body).backgroundColor)
  assert.equal(colour, 'rgb(22, 20, 17)')
  await dialog.getByLabel('Language').selectOption('Français')
  await mail.getByText('Votre colis a été remis au transporteur.').waitFor()
  await mail.getByText('Enjoy your <mug>!').waitFor()
  await dialog.getByLabel('Your password').fill(testAdmin.password)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').first().waitFor()
  assert.equal(shop.shop.config.mail.openings.shipped, 'Enjoy your <mug>!')
})

test('the texts can be used by anyone, on a desktop and on a phone', async () => {
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  await page.goto('/products?settings=texts')
  await page.frameLocator('iframe').getByText('Thank you!').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
})
