import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orders, products } from '#server/db/schema.ts'
import { annasAddress } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { listedRows, orderRow, repeatOrder, replaceOrders } from '#e2e/testing/order-pages.ts'
import { assertShows, findIssuesAtBothWidths, findOverflow } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const desktop = { width: 1280, height: 800 }
const page = await shop.visitAsAdmin({
  viewport: desktop,
  timezoneId: 'Europe/Berlin',
  bypassCSP: true,
})
const search = page.getByPlaceholder('Search by order ID, customer email, or product...')
const sortButton = page.getByRole('button', { name: /^Sort orders: / })
const chosen = page.getByRole('list', { name: 'Chosen filters' })

/** The amounts of the rows, from the top. */
const amounts = async () =>
  (await listedRows(page).allInnerTexts()).map((text) => /€[\d.]+/.exec(text)?.[0])

async function sortBy(label: string) {
  await sortButton.click()
  await page.getByRole('menuitemradio', { name: label }).click()
}

async function amountsAre(...expected: string[]) {
  await page.waitForFunction(
    (joined) =>
      Array.from(
        document.querySelectorAll('tbody tr[aria-rowindex]'),
        (row) => /€[\d.]+/.exec(row.textContent)?.[0],
      ).join() === joined,
    expected.join(),
  )
  await assertShows(() => amounts(), expected)
}

test('orders are sorted by age or amount, in the address, and the export is sorted too', async () => {
  await replaceOrders(shop, { amount: '9.00' }, { amount: '100.00' }, { amount: '20.00' })
  await page.goto('/orders')
  await amountsAre('€9.00', '€100.00', '€20.00')
  await sortButton.click()
  await page.getByRole('menuitemradio', { name: 'Newest first', checked: true }).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'the menu')
  await page.setViewportSize(desktop)
  await page.keyboard.press('Escape')
  await sortBy('Amount, high to low')
  await page.waitForURL('**/orders?sort=highest')
  await amountsAre('€100.00', '€20.00', '€9.00')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ])
  let csv = ''
  for await (const piece of await file.createReadStream()) csv += String(piece)
  assert.deepEqual(
    [...csv.matchAll(/,(\d+\.00),EUR/g)].map(([, amount]) => amount),
    ['100.00', '20.00', '9.00'],
  )
  await sortBy('Oldest first')
  await amountsAre('€20.00', '€100.00', '€9.00')
  await page.reload()
  await amountsAre('€20.00', '€100.00', '€9.00')
  await page.goBack()
  await amountsAre('€100.00', '€20.00', '€9.00')
  await assertShows(() => sortButton.innerText(), 'Amount, high to low')
})

test('orders are filtered by product and by days on the owner’s calendar', async () => {
  const [late, early] = await replaceOrders(
    shop,
    // Already the 11th in Berlin.
    { createdAt: new Date('2026-11-10T23:30:00Z') },
    { createdAt: new Date('2026-11-10T22:30:00Z') },
  )
  const [vase] = await shop.db
    .insert(products)
    .values({ name: 'Tall Vase', price: '5', headerLogoUrl: 'x', createdBy: 'owner' })
    .returning()
  const [mug] = await shop.db.select({ id: orders.productId }).from(orders)
  assert.ok(vase && mug)
  await page.goto('/orders')
  await orderRow(page, early).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByLabel('First day').fill('2026-11-12')
  await page.getByLabel('Last day').fill('2026-11-11')
  await page.getByRole('button', { name: 'Show orders' }).click()
  await page.getByText('The first day comes after the last.').waitFor()
  await page.getByLabel('First day').fill('2026-11-11')
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'the filter')
  await page.setViewportSize(desktop)
  await page.getByRole('button', { name: 'Show orders' }).click()
  await page.waitForURL('**/orders?from=2026-11-11&to=2026-11-11')
  await orderRow(page, early).waitFor({ state: 'detached' })
  await orderRow(page, late).waitFor()
  await chosen.getByText('Nov 11, 2026').waitFor()

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByLabel('Product').selectOption('Tall Vase')
  await page.getByRole('button', { name: 'Show orders' }).click()
  await page.getByText('No orders match your filter', { exact: true }).waitFor()
  await chosen.getByText('Tall Vase').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'nothing found')
  await page.setViewportSize(desktop)
  await chosen.getByRole('link', { name: 'Remove this filter' }).last().click()
  await page.waitForURL(`**/orders?product=${vase.id}`)
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await orderRow(page, early).waitFor()
  await page.goto(`/orders?product=${mug.id}&from=2026-11-11`)
  await orderRow(page, late).waitFor()
  await assertShows(() => listedRows(page).count(), 1)
})

test('several words at once find an order, and a search says how many; the counts of all orders stay', async () => {
  const [hull = ''] = await replaceOrders(
    shop,
    {
      customerPhone: '+44 1482 300300',
      productName: 'Kettle',
      shippingAddress: { ...annasAddress, city: 'Hull', postcode: 'HU1 3RA' },
    },
    ...repeatOrder(2, { productName: 'Kettle' }),
    ...repeatOrder(130, { status: 'shipped' }),
  )
  const tabs = page.getByRole('navigation', { name: 'Status filter' }).getByRole('listitem')
  const counts = ['All Orders133', 'Pending3', 'Processing0', 'Shipped130', 'Completed0']
  for (const path of ['/orders', '/fulfillment']) {
    await page.goto(path)
    await tabs.filter({ hasText: 'Shipped130' }).waitFor()
    assert.equal(await page.getByText(/order\(s\) found/).count(), 0)
    for (const [words, found] of [
      ['kettle', 3],
      ['mug', 130],
      ['kettle 1482 HULL', 1],
    ] as const) {
      await search.fill(words)
      await page.waitForURL((url) => url.searchParams.get('q') === words)
      await page.getByText(`${found} order(s) found`, { exact: true }).waitFor()
      await assertShows(() => tabs.allTextContents(), counts, path)
    }
    await assertShows(() => listedRows(page).count(), 1)
    await orderRow(page, hull).waitFor()
    await search.fill('kettle nobody')
    await page.getByText('No orders match your search', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear search' }).last().click()
    await assertShows(async () => (await listedRows(page).count()) > 1, true)
  }
})

test('compact rows fit twice as many, are remembered, hold for both pages, and show names and badges whole', async () => {
  const name = 'Walnut Serving Board'
  await replaceOrders(shop, {}, { productName: name, isTest: true }, ...repeatOrder(29))
  const isWhole = (part: HTMLElement) =>
    part.scrollHeight <= part.clientHeight && part.scrollWidth <= part.clientWidth
  const heightOf = async () => (await listedRows(page).first().boundingBox())?.height ?? 0
  const compact = page.getByRole('button', { name: 'Compact rows' })
  for (const path of ['/orders?tests=true', '/fulfillment?tests=true']) {
    await page.goto(path)
    await listedRows(page).first().waitFor()
    await assertShows(() => compact.getAttribute('aria-pressed'), 'false')
    const tall = await heightOf()
    await compact.click()
    await page.waitForFunction(
      (most) => (document.querySelector('tbody tr')?.clientHeight ?? most) < most,
      tall * 0.6,
    )
    await page.reload()
    await listedRows(page).first().waitFor()
    await assertShows(() => compact.getAttribute('aria-pressed'), 'true')
    assert.ok((await heightOf()) < tall * 0.6)
    const title = listedRows(page).getByText(name, { exact: true })
    const badge = listedRows(page).getByText('Test', { exact: true }).first()
    await assertShows(() => title.evaluate(isWhole), true, `${path}: the name is cut off`)
    await assertShows(() => badge.evaluate(isWhole), true, `${path}: the badge is cut off`)
    if (path.startsWith('/fulfillment'))
      assert.deepEqual(await findIssuesAtBothWidths(page), [], path)
    await page.setViewportSize({ width: 375, height: 800 })
    assert.deepEqual(await findOverflow(page, 'td'), [], path)
    await page.setViewportSize(desktop)
    await compact.click()
  }
})
