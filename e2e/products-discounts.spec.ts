import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { discountCodes } from '#server/db/order-schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openBrowserShop, type VisitOptions } from '#e2e/testing/browser-shop.ts'
import {
  assertShows,
  findIssuesAtBothWidths,
  findOverflow,
  stopClock,
} from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const { db } = shop

const visitor: VisitOptions = {
  bypassCSP: true,
  permissions: ['clipboard-read', 'clipboard-write'],
}
const sharedPage = await shop.visitAsAdmin(visitor)

/** Who stops the clock has a page of their own. */
async function visitProducts(page = sharedPage) {
  await db.delete(discountCodes)
  const data = { name: 'Oak chair', price: '49', headerLogoUrl: `${shop.address}/favicon.svg` }
  const { id } = await (await page.request.post(apiRoutes.products, { data })).json()
  await page.goto('/products')
  await page.getByRole('row', { name: 'Oak chair' }).first().waitFor()
  return { page, id: String(id), dialog: page.getByRole('dialog', { name: 'Discount codes' }) }
}

test('the owner adds a code, copies its link, changes its limit and deletes it', async () => {
  const { page, id, dialog } = await visitProducts(await shop.visitAsAdmin(visitor))
  await page.getByRole('button', { name: 'Discount codes' }).click()
  await dialog.getByText('No discount codes yet').waitFor()
  await page.waitForURL('**/products?view=discounts')

  await dialog.getByRole('button', { name: 'Add code' }).click()
  const form = page.getByRole('dialog', { name: 'Add a discount code' })
  await form.getByRole('textbox', { name: 'Code', exact: true }).fill('spring 10')
  await form.getByRole('button', { name: 'Add code' }).click()
  await form.getByText('A code has 3 to 40 letters').waitFor()
  await form.getByRole('textbox', { name: 'Code', exact: true }).fill('five')
  const warning = form.getByText('Strangers can guess a code this short')
  await warning.waitFor()
  await form.getByLabel('Limit').fill('5')
  await warning.waitFor({ state: 'detached' })
  await form.getByLabel('Limit').fill('')
  await warning.waitFor()
  await form.getByRole('textbox', { name: 'Code', exact: true }).fill('spring10')
  await warning.waitFor({ state: 'detached' })
  await form.getByLabel('Kind').selectOption('Amount')
  await form.getByLabel('Amount off').fill('5,50')
  await form.getByLabel('Product').selectOption(id)
  await form.getByLabel('Last day').fill('2030-05-31')
  await form.getByRole('button', { name: 'Add code' }).click()

  const item = dialog.getByRole('listitem')
  await item.getByText('SPRING10').waitFor()
  await item.getByText('€5.50 off, Oak chair').waitFor()
  await item.getByText('Not used yet · last day May 31, 2030').waitFor()

  await item.getByRole('button', { name: 'Link with this code' }).click()
  const link = page.getByRole('dialog', { name: 'Link with SPRING10' })
  // It says so for two seconds.
  await stopClock(page)
  await link.getByRole('button', { name: 'Copy link' }).click()
  await link.getByRole('button', { name: 'Copied' }).waitFor()
  await page.clock.resume()
  assert.equal(
    await page.evaluate(() => navigator.clipboard.readText()),
    `${shop.address}/checkout/${id}?code=SPRING10`,
  )
  await page.keyboard.press('Escape')
  await link.waitFor({ state: 'detached' })

  await item.getByRole('button', { name: 'Change limit and end' }).click()
  const change = page.getByRole('dialog', { name: 'Change SPRING10' })
  await change.getByLabel('Limit').fill('1')
  await change.getByLabel('Last day').fill('')
  await change.getByRole('button', { name: 'Save' }).click()
  await item.getByText('Used 0 of 1 time', { exact: true }).waitFor()

  const terms = {
    subtotal: '49.00',
    shipping: '0.00',
    discount: '5.50',
    code: 'SPRING10',
    country: null,
    isPickup: false,
  }
  const [saved] = await db.select().from(discountCodes)
  const discountCodeId = saved?.id ?? null
  await addOrders(db, [{ terms, discountCodeId, amount: '43.50', isTest: true }])
  await page.reload()
  await item.getByText('Used up').waitFor()
  await item.getByText('Used 0 of 1 time, 1 test').waitFor()

  await item.getByRole('button', { name: 'Delete code' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete code' }).click()
  await dialog.getByText('No discount codes yet').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL('**/products')
})

test('a code that there is already is refused beside the form', async () => {
  const { page, dialog } = await visitProducts()
  await page.request.post(apiRoutes.discountCodes, { data: { code: 'TEN', percent: 10 } })
  await page.getByRole('button', { name: 'Discount codes' }).click()
  await dialog.getByRole('button', { name: 'Add code' }).click()
  const form = page.getByRole('dialog', { name: 'Add a discount code' })
  await form.getByRole('textbox', { name: 'Code', exact: true }).fill('ten')
  await form.getByLabel('Percent off').fill('20')
  await form.getByRole('button', { name: 'Add code' }).click()
  await form.getByText('There is a discount code with that name already.').waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
})

test('a buy button can carry a code that counts for its product', async () => {
  const { page, id } = await visitProducts()
  await page.request.post(apiRoutes.discountCodes, { data: { code: 'TEN', percent: 10 } })
  const past = { code: 'PAST', percent: 10, lastDay: '2020-01-31' }
  await page.request.post(apiRoutes.discountCodes, { data: past })
  await page.getByRole('button', { name: 'Get HTML Buy Button' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'HTML Buy Button' })
  const codes = dialog.getByLabel('Discount code')
  await assertShows(() => codes.getByRole('option').allTextContents(), ['None', 'TEN'])
  await codes.selectOption('TEN')
  const button = dialog.getByRole('link', { name: 'BUY NOW' })
  await assertShows(() => button.getAttribute('href'), `${shop.address}/checkout/${id}?code=TEN`)
})

test('codes are found from anywhere, and are free of accessibility faults', async () => {
  const { page, dialog } = await visitProducts()
  for (const data of [
    { code: 'SPRING10', percent: 10, maxUses: 100, lastDay: '2030-05-31' },
    { code: 'A'.repeat(40), amount: '99999999' },
    { code: 'PAST', percent: 10, lastDay: '2020-01-31' },
  ])
    assert.equal((await page.request.post(apiRoutes.discountCodes, { data })).status(), 201)
  await page.goto('/orders')
  await page.getByRole('heading', { name: 'Orders' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Search pages/ }).fill('coupon')
  await page.getByRole('option', { name: 'Discount codes' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByText('SPRING10').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page, '[role=dialog]'), [], 'list')
  await dialog.getByRole('button', { name: 'Add code' }).click()
  const form = page.getByRole('dialog', { name: 'Add a discount code' })
  await form.getByRole('button', { name: 'Add code' }).click()
  await form.getByText('A code has 3 to 40 letters').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page, '[role=dialog]'), [], 'form')
  await page.setViewportSize({ width: 320, height: 800 })
  assert.deepEqual(await findOverflow(page), [])
})
