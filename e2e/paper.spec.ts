import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { apiRoutes } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addPayment, annasAddress } from '#server/testing/orders.ts'
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

/** What a scanner reads from the slip that is shown. */
async function scan(): Promise<string | undefined> {
  const picture = await dialog.getByRole('img', { name: /^QR code/ }).screenshot()
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

/** How many sheets the browser prints. */
async function countPrintedSheets(): Promise<number> {
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true })
  return [...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length
}

test('slips of the selected orders are shown and printed, each on a sheet of its own', async () => {
  await visitFulfillment()
  await all.click()
  await page.getByRole('button', { name: 'Print slips' }).click()
  for (const id of [annas, lis])
    await dialog
      .getByRole('article', { name: `Packing slip of order ${await numberOf(id)}` })
      .waitFor()
  await dialog.getByText('choose “Save as PDF” as the printer').waitFor()
  await dialog.getByText('李 小龍').waitFor()
  assert.equal(await countPrintedSheets(), 2)
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
  const scanned = await scan()
  assert.equal(scanned, `TILL${await numberOf(annas)}`)
  // It is found in any list, also in one that it is not in.
  await page.goto('/fulfillment?status=shipped')
  const search = page.getByRole('textbox', { name: 'Search orders' })
  await search.click()
  for (const text of [scanned ?? '', `#${await numberOf(annas)}`, annas.slice(0, 8)]) {
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

test('an answer that comes after the next search opens nothing', async () => {
  await page.goto('/fulfillment')
  const search = page.getByRole('textbox', { name: 'Search orders' })
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route(`**${apiRoutes.matchedOrders}?*`, async (route) => {
    const answer = await route.fetch()
    asked.resolve()
    await gate.promise
    // Nobody may wait for it any more.
    await route.fulfill({ response: answer }).catch(() => undefined)
    answered.resolve()
  })
  await search.fill(await numberOf(annas))
  await page.keyboard.press('Enter')
  await asked.promise
  await search.fill('nobody')
  gate.resolve()
  await answered.promise
  await page.getByText('No orders match your search').waitFor()
  await page.unroute(`**${apiRoutes.matchedOrders}?*`)
  assert.equal(new URL(page.url()).searchParams.get('order'), null)
  assert.equal(await search.inputValue(), 'nobody')
})

test('a pick list has the date of the shop, wherever it is printed', async () => {
  const { timeZone } = shop.shop.config
  const dayIn = (zone: string) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: zone }).format()
  const before = dayIn(timeZone)
  // These two are 25 hours apart, so that one of them has another day.
  const far = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((zone) => dayIn(zone) !== before)
  assert.ok(far)
  const traveller = await shop.visitAsAdmin({ timezoneId: far })
  await traveller.goto(`/fulfillment?pick-list=${annas}`)
  const list = traveller.getByRole('article', { name: 'Pick list' })
  const text = await list.innerText()
  assert.ok(
    [before, dayIn(timeZone)].some((day) => text.includes(day)),
    text,
  )
})

test('an order that may be wrong to send says so before it is printed, and on its sheet', async () => {
  const [fine = '', oversold = ''] = await replaceOrders(shop, {}, { isOversold: true })
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, oversold))
  await addPayment(shop.db, order, { refunded: '49.00' })
  const number = await numberOf(oversold)
  const texts = [/^Oversold: it was paid/, /^Refunded: do not send it/]
  for (const kind of ['slips', 'pick-list']) {
    await page.goto(`/fulfillment?${kind}=${fine},${oversold}`)
    for (const text of texts) {
      await page.emulateMedia({ media: 'screen' })
      const before = dialog.getByText(`Order ${number}: ${text.source.slice(1)}`)
      await before.waitFor()
      await page.emulateMedia({ media: 'print' })
      await before.waitFor({ state: 'hidden' })
      await dialog.getByRole('article').getByText(text).waitFor()
    }
  }
  await dialog.getByText('1 item(s) · 1 with a warning, not counted').waitFor()
  await page.emulateMedia({ media: null })
})

test('nothing on a slip is cut, however long it is, and it stays one sheet', async () => {
  const longest = (length: number) => 'Wörter '.repeat(100).slice(0, length).trim()
  const product = {
    id: crypto.randomUUID(),
    name: `${longest(490)} END`,
    price: '49.00',
    currency: 'EUR',
    description: null,
    imageUrl: null,
    headerName: null,
    headerLogoUrl: '/logo.png',
    noteLabel: 'Engraving',
  } as const
  const long = {
    product,
    buyerNote: Array.from({ length: 20 }, (_line, index) => `Line ${index}`).join('\n'),
    isOversold: true,
    erasedAt: new Date(),
    shippingAddress: {
      ...annasAddress,
      address: longest(290),
      apartment: longest(190),
      city: 'X'.repeat(190),
    },
  }
  const japanese = {
    country: 'Japan',
    firstName: '太郎',
    lastName: '山田',
    address: '東京都千代田区丸の内一丁目'.repeat(8),
    city: '千代田区',
    postcode: '100-0005',
  }
  const ids = await replaceOrders(shop, long, { shippingAddress: japanese })
  await page.goto(`/fulfillment?slips=${ids.join()}`)
  const sheets = dialog.getByRole('article')
  await sheets.nth(1).waitFor()
  assert.equal(await countPrintedSheets(), 2)
  const cut = await sheets.evaluateAll((articles) =>
    articles
      .flatMap((article) => [article, ...article.querySelectorAll(':not(img)')])
      .filter((part) => getComputedStyle(part).overflow !== 'visible')
      .map((part) => part.outerHTML.slice(0, 80)),
  )
  assert.deepEqual(cut, [])
  const overlaps = await sheets.evaluateAll((articles) =>
    articles.map((article) => {
      const bottomOf = (part: Element | null) => part?.getBoundingClientRect().bottom ?? 0
      const address = article.querySelector('address')
      const table = article.querySelector('table')
      return bottomOf(address) > (table?.getBoundingClientRect().top ?? 0)
    }),
  )
  assert.deepEqual(overlaps, [false, false])
})
