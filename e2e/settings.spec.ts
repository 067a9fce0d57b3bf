import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkoutPath } from '#contract/paths.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { findIssuesAtBothWidths, watchLayoutShifts } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop({ environment: { KEEP_MAIL_DAYS: '14' } })
const mug = await addMug(shop)

test('the owner names the shop, writes a policy and sets VAT, and buyers see it at once', async () => {
  const page = await shop.visitAsAdmin()
  await page.goto('/products')
  await page.getByRole('button', { name: 'Settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  await dialog.getByLabel('Shop name').fill('The Mug Shop')
  assert.equal(new URL(page.url()).search, '?settings=shop')
  await dialog.getByLabel('Contact e-mail').fill('nobody')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('This is not an e-mail address.').waitFor()
  await dialog.getByLabel('Contact e-mail').fill('hello@mugs.example')
  await dialog.getByLabel('Postal address').fill('Harbour Road 1\n20457 Hamburg')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved', { exact: true }).first().waitFor()

  await dialog.getByRole('link', { name: 'Policies' }).click()
  await dialog.getByRole('button', { name: /^Start with our draft.*Refund policy/ }).click()
  assert.match(await dialog.getByLabel('Refund policy').inputValue(), /hello@mugs\.example/)
  await dialog.getByRole('link', { name: 'VAT' }).click()
  await page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('link', { name: 'VAT' }).click()
  await dialog.getByLabel('VAT rate in percent').fill('19')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).search, '')

  const buyer = await shop.visit()
  await buyer.goto(checkoutPath(mug))
  await buyer.getByRole('button', { name: 'Refund policy' }).click()
  await buyer.getByText('within 14 days after the goods have arrived').waitFor()
  await buyer.keyboard.press('Escape')
  await buyer.getByRole('button', { name: 'Imprint' }).click()
  await buyer.getByText('20457 Hamburg').waitFor()
})

test('what the environment decides is shown as such and cannot be typed over', async () => {
  const page = await shop.visitAsAdmin()
  await page.goto('/orders?settings=retention')
  const field = page.getByRole('dialog').getByLabel('Records of mails')
  await page.getByText('Set by KEEP_MAIL_DAYS in the environment.').waitFor()
  assert.equal(await field.inputValue(), '14')
  assert.equal(await field.getAttribute('readonly'), '')
})

test('a test mail and an address are tried out for real', async () => {
  const page = await shop.visitAsAdmin()
  await page.goto('/products?settings=mail')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Send a test mail/ }).click()
  await dialog.getByText('There is no mail server, so nothing was sent.').waitFor()
  await dialog.getByRole('link', { name: 'Address' }).click()
  await dialog.getByLabel('Public address').fill('http://127.0.0.1:1')
  await dialog.getByRole('button', { name: /leads here.*Public address/ }).click()
  await dialog.getByText(/cannot be reached from here/).waitFor()
  await dialog.getByLabel('Public address').fill(shop.address)
  await dialog.getByRole('button', { name: /leads here.*Public address/ }).click()
  await dialog.getByText(/is not encrypted/).waitFor()
})

test('every section can be used by anyone, on a desktop and on a phone', async () => {
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  const readShifts = await watchLayoutShifts(page)
  for (const section of ['shop', 'tax', 'policies', 'mail', 'address', 'retention', 'alerts']) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`/products?settings=${section}`)
    await page.getByRole('button', { name: 'Save' }).waitFor()
    assert.ok((await readShifts()) < 0.01, `${section}: the layout jumps`)
    assert.deepEqual(await findIssuesAtBothWidths(page), [], section)
  }
})
