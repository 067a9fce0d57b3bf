import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { annasAddress } from '#server/testing/orders.ts'
import { readPdf } from '#server/testing/pdf-text.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { bulkControls, replaceOrders } from '#e2e/testing/order-pages.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 900 }, bypassCSP: true })
const { all, visitFulfillment } = bulkControls(page)
const dialog = page.getByRole('dialog')
const [annas = '', lis = ''] = await replaceOrders(
  shop,
  {},
  { shippingAddress: { ...annasAddress, firstName: '李', lastName: '小龍' } },
)
const numberOf = async (id: string) => {
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, id))
  return String(order?.number)
}

/** How many sheets the browser prints. */
async function countPrintedSheets(): Promise<number> {
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true })
  return [...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length
}

test('slips of the selected orders are shown, printed and opened as a PDF', async () => {
  await visitFulfillment()
  await all.click()
  await page.getByRole('button', { name: 'Print slips' }).click()
  for (const id of [annas, lis])
    await dialog
      .getByRole('article', { name: `Packing slip of order ${await numberOf(id)}` })
      .waitFor()
  await dialog.getByText(`Order ${await numberOf(lis)}: 3 character(s) cannot be printed`).waitFor()
  assert.equal(await countPrintedSheets(), 2)
  const href = await dialog.getByRole('link', { name: 'Open PDF' }).getAttribute('href')
  const answer = await page.request.get(href ?? '')
  assert.equal(readPdf(await answer.body()).length, 2)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.reload()
  await dialog.getByRole('article').nth(1).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL('**/fulfillment')
})

test('a pick list of the selected orders is shown and printed', async () => {
  await visitFulfillment()
  await all.click()
  await page.getByRole('button', { name: 'Pick list' }).click()
  const list = dialog.getByRole('article', { name: 'Pick list' })
  await list.getByRole('columnheader', { name: '2 ×' }).waitFor()
  await list.getByRole('row', { name: `${await numberOf(annas)} Anna Müller` }).waitFor()
  assert.equal(await countPrintedSheets(), 1)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
})

test('scanning the code of a slip into the search opens its order, and so does its number', async () => {
  await page.goto(`/orders?order=${annas}`)
  await dialog.getByRole('button', { name: 'Packing slip' }).click()
  const name = await dialog.getByRole('img', { name: /^QR code/ }).getAttribute('alt')
  const scanned = name?.replace('QR code ', '') ?? ''
  assert.equal(scanned, `TILL${await numberOf(annas)}`)
  // It is found in any list, also in one that it is not in.
  await page.goto('/fulfillment?status=shipped')
  const search = page.getByRole('textbox', { name: 'Search orders' })
  await search.click()
  for (const text of [scanned, `#${await numberOf(annas)}`, annas.slice(0, 8)]) {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await dialog.getByText('Lange Straße 12').first().waitFor()
    assert.equal(new URL(page.url()).searchParams.get('order'), annas)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // The next scan replaces the text.
    await assertShows(() => search.evaluate((input) => input === document.activeElement), true)
  }
})
