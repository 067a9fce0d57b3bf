import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMug } from '#server/testing/buyer.ts'
import { annasAddress } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { listedRows, repeatOrder, replaceOrders } from '#e2e/testing/order-pages.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
await replaceOrders(shop, ...repeatOrder(60))
const page = await shop.visitAsAdmin({
  viewport: { width: 1000, height: 700 },
  colorScheme: 'dark',
})

/** What would be on paper and should not. */
const findUnprintable = () =>
  page.evaluate(() =>
    [
      'aside',
      'nav',
      'search',
      'button',
      'input:not([type=range])',
      'header.sticky',
      'section[aria-label^=About]',
    ]
      .flatMap((selector) => [...document.querySelectorAll(selector)])
      .filter((element) => element.checkVisibility() && element.getClientRects().length > 0)
      .map((element) => element.outerHTML.slice(0, 80)),
  )
const background = () =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

test('every admin page is printed in light colours, without what is pressed', async () => {
  for (const path of ['/orders', '/fulfillment', '/products', '/analytics']) {
    await page.emulateMedia({ media: 'screen' })
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('tbody tr, dl').first().waitFor()
    assert.notDeepEqual(await findUnprintable(), [], path)
    await page.emulateMedia({ media: 'print' })
    await assertShows(findUnprintable, [], path)
    await assertShows(() => background(), 'rgb(255, 255, 255)', path)
    await assertShows(() => page.getByRole('heading', { level: 1 }).isVisible(), true)
  }
})

test('all loaded orders are printed, each row whole', async () => {
  await page.emulateMedia({ media: 'screen' })
  await page.goto('/orders')
  await listedRows(page).first().waitFor()
  assert.equal(await listedRows(page).count(), 60)
  await page.emulateMedia({ media: 'print' })
  const breaks = await listedRows(page).evaluateAll((rows) =>
    rows.map((row) => getComputedStyle(row).breakInside),
  )
  assert.deepEqual(
    breaks,
    Array.from({ length: 60 }, () => 'avoid'),
  )
})

test('an open order is printed alone', async () => {
  await page.emulateMedia({ media: 'screen' })
  await page.goto('/orders')
  await listedRows(page).first().getByRole('link').click()
  const panel = page.getByRole('dialog')
  await panel.getByText('Lange Straße 12').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  await assertShows(() => panel.getByText('Lange Straße 12').first().isVisible(), true)
  await assertShows(() => listedRows(page).first().isVisible(), false)
  await assertShows(findUnprintable, [])
  const pdf = await page.pdf({ preferCSSPageSize: true })
  const sizes = [...pdf.toString('latin1').matchAll(/MediaBox \[0 0 ([\d.]+) ([\d.]+)/g)]
  for (const [, width, height] of sizes)
    assert.deepEqual([width, height].map(Number).map(Math.round), [595, 842], 'A4, upright')
  assert.ok(sizes.length === 1 || sizes.length === 2, `${sizes.length} pages`)
})

test('Ctrl+P prints the whole list, and the menu says how much it has', async () => {
  await replaceOrders(shop, ...repeatOrder(230))
  await page.emulateMedia({ media: 'screen' })
  for (const path of ['/orders', '/fulfillment']) {
    await page.goto(path)
    await listedRows(page).first().waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.getByText('The first 100 of 230 orders: 130 are missing.').waitFor()
    await page.emulateMedia({ media: 'screen' })
    // The dialog of the browser is not there.
    await page.evaluate(() => {
      window.print = () => {
        window.dispatchEvent(new Event('beforeprint'))
        const printedRows = document.querySelectorAll('tbody tr[aria-rowindex]').length
        Object.assign(window, { printedRows })
        window.dispatchEvent(new Event('afterprint'))
      }
    })
    await page.keyboard.press('Control+p')
    const countPrinted = () => page.evaluate(() => Reflect.get(window, 'printedRows'))
    await assertShows(countPrinted, 230, path)
  }
})

test('on paper nothing is cut off: not in compact rows, not in links', async () => {
  const street = 'Am Mühlbach 137, Hinterhaus, Aufgang B, achtes Obergeschoss'
  const email = 'anna.magdalena.musterfrau-beispielhausen@a-very-long-company-name.example.com'
  await replaceOrders(shop, {
    customerEmail: email,
    shippingAddress: { ...annasAddress, address: street },
  })
  const link = `${shop.address}/checkout/${await addMug(shop)}`
  await page.emulateMedia({ media: 'screen' })
  await page.goto('/orders')
  await page.getByRole('button', { name: 'Compact rows' }).click()
  for (const [path, ...texts] of [
    ['/orders', street, email],
    ['/fulfillment', street, email],
    ['/products', link],
  ] as const) {
    await page.goto(path)
    await page.locator('tbody tr').first().waitFor()
    await page.emulateMedia({ media: 'print' })
    for (const text of texts) await page.getByText(text).first().waitFor()
    await assertShows(() => page.locator('[data-compact]').count(), 0)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('td *')]
        .filter((part) => part.checkVisibility() && getComputedStyle(part).overflowX !== 'visible')
        .filter((part) => part.scrollWidth > part.clientWidth + 1)
        .map((part) => part.textContent),
    )
    assert.deepEqual(cut, [], path)
    await page.emulateMedia({ media: 'screen' })
  }
})
