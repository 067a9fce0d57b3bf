import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { shellActor } from '#server/http/audit.ts'
import { addAdmin } from '#server/admin/admins.ts'
import { sessions } from '#server/db/admin-schema.ts'
import { products } from '#server/db/schema.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { logIn, openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { toast, waitForToast } from '#e2e/testing/order-pages.ts'
import { assertShows, stopClock } from '#e2e/testing/page-checks.ts'

/* Any change without a session leads to the login. What was typed is there again afterwards. */

const shop = await openBrowserShop()
const berta = {
  username: 'berta',
  email: 'berta@example.com',
  password: 'plum anvil seldom harbour',
}
await addAdmin(shop.db, berta, shellActor)

const owner = (await shop.visitAsAdmin()).context()

beforeEach(async () => {
  await shop.db.delete(products)
})

const openTab = () => shop.reopenAsAdmin(owner)

async function editProduct(page: Page) {
  await addMug(shop)
  await page.goto('/products?sort=name')
  await page.getByRole('button', { name: 'Edit Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Product' })
  return {
    dialog,
    name: dialog.getByLabel('Product Name'),
    save: dialog.getByRole('button', { name: 'Update Product' }),
  }
}

const readStorage = (page: Page) =>
  page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))

async function waitForLogin(page: Page): Promise<void> {
  await toast(page, 'Unauthorized').waitFor()
  await toast(page, 'You are logged out. Logging in again...').waitFor()
  await page.waitForURL('**/login')
}

test('the login comes half a second after the toast; what was typed is not shown to another admin', async () => {
  const page = await shop.visitAsAdmin()
  const { dialog, name, save } = await editProduct(page)
  await name.fill('Cup')
  await shop.db.delete(sessions)
  await stopClock(page)
  await save.click()
  await toast(page, 'You are logged out. Logging in again...').waitFor()
  await page.clock.runFor(490)
  assert.equal(new URL(page.url()).pathname, '/products')
  await page.clock.runFor(20)
  await page.waitForURL('**/login')
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
  await page.clock.resume()
  assert.match(await readStorage(page), /Cup/)
  await logIn(page, berta)
  await page.waitForURL('**/products')
  await page.getByText(berta.email).waitFor()
  await assertShows(() => readStorage(page), '[]')
  await page.getByRole('button', { name: 'Edit Product' }).click()
  await dialog.waitFor()
  await assertShows(() => name.inputValue(), 'Mug')
})

test('a product opens again with what was typed, and can be saved', async () => {
  const page = await openTab()
  const { dialog, name, save } = await editProduct(page)
  await name.fill('Cup')
  await dialog.getByLabel('Enable quantity-based pricing').check()
  await dialog.getByRole('button', { name: 'Add Tier' }).click()
  await dialog.getByRole('listitem').getByLabel('Price').fill('40')
  await shop.db.delete(sessions)
  await save.click()
  await waitForLogin(page)
  await page.reload()
  await logIn(page)
  await toast(page, 'Login successful').waitFor()
  await page.waitForURL('**/products?sort=name')
  await assertShows(() => name.inputValue(), 'Cup')
  await assertShows(() => dialog.getByRole('listitem').getByLabel('Price').inputValue(), '40')
  await assertShows(() => readStorage(page), '[]', 'it goes once used')
  await save.click()
  await toast(page, 'Product updated').waitFor()
  await page.getByRole('row', { name: 'Cup' }).waitFor()
})

test('neither passwords nor keys are kept', async () => {
  const page = await openTab()
  await page.goto('/analytics?settings=sumup')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Merchant code').fill('MH4H92C7')
  await dialog.getByLabel('API key').fill('sup_sk_secret')
  await dialog.getByLabel('Your password').fill('secret')
  await shop.db.delete(sessions)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await waitForLogin(page)
  await assertShows(() => readStorage(page), /MH4H92C7/)
  assert.doesNotMatch(await readStorage(page), /secret/)
  await logIn(page)
  await page.waitForURL('**/analytics?settings=sumup')
  await dialog.getByLabel('Merchant code').waitFor()
  await assertShows(() => dialog.getByLabel('Merchant code').inputValue(), 'MH4H92C7')
  await assertShows(() => dialog.getByLabel('API key').inputValue(), '')

  await page.goto('/products?settings=people')
  await dialog.getByLabel('Their email address').fill('mia@example.com')
  await dialog.getByLabel('Your password').fill('secret')
  await shop.db.delete(sessions)
  await dialog.getByRole('button', { name: 'Make an invitation link' }).click()
  await waitForLogin(page)
  assert.doesNotMatch(await readStorage(page), /secret/)
  await logIn(page)
  await dialog.getByLabel('Their email address').waitFor()
  await assertShows(() => dialog.getByLabel('Their email address').inputValue(), 'mia@example.com')
  await assertShows(() => dialog.getByLabel('Your password').inputValue(), '')
})

test('a note about a payment in review is there again, and so is an address', async () => {
  const own = await openBrowserShop()
  const buyer = createBuyer(own)
  const { checkoutId } = (await buyer.open(await addMug(own))).json()
  await payByCard(own.sandbox, checkoutId)
  await buyer.look(checkoutId)
  const page = await own.visitAsAdmin()
  await page.goto('/orders')
  await page.getByRole('button', { name: 'Create order' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Country').selectOption('Germany')
  await dialog.getByLabel('City').fill('Berlin')
  await page.keyboard.press('Escape')
  await waitForToast(page, 'Changes discarded')
  await page.getByRole('button', { name: 'Undo' }).click()
  await assertShows(() => dialog.getByLabel('City').inputValue(), 'Berlin')
  await assertShows(() => dialog.getByLabel('Country').inputValue(), 'Germany')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Dismiss' }).click()
  await dialog.getByLabel('Note').fill('Paid back in cash')
  await own.db.delete(sessions)
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await waitForLogin(page)
  await logIn(page)
  await dialog.getByLabel('Note').waitFor()
  await assertShows(() => dialog.getByLabel('Note').inputValue(), 'Paid back in cash')
  await page.waitForURL('**/orders')
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await toast(page, 'Payment dismissed').waitFor()
})

test('without anything typed, and wherever a kept address leads, the login leads to the products', async () => {
  const page = await openTab()
  await page.goto('/analytics')
  await shop.db.delete(sessions)
  await page.reload()
  await waitForLogin(page)
  await logIn(page)
  await page.waitForURL('**/products')

  const { name, save } = await editProduct(page)
  await name.fill('Cup')
  await shop.db.delete(sessions)
  await save.click()
  await waitForLogin(page)
  await page.evaluate(() => {
    const [key = ''] = Object.keys(sessionStorage)
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '')
    sessionStorage.setItem(key, JSON.stringify({ ...kept, href: '//evil.example/products' }))
  })
  await logIn(page)
  await page.waitForURL(`${shop.address}/products`)
})
