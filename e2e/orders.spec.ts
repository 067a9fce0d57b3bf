import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, thankYouPath } from '#contract/paths.ts'
import { orders, orderTimeline } from '#server/db/schema.ts'
import { addPayment, annasAddress } from '#server/testing/orders.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows, findIssuesAtBothWidths, pressEscapeIn } from '#e2e/testing/page-checks.ts'
import {
  replaceOrders,
  listedRows,
  orderRow,
  shortId,
  repeatOrder,
  toast,
} from '#e2e/testing/order-pages.ts'

const shop = await openBrowserShop()
const page = await shop.visitAsAdmin({
  viewport: { width: 1280, height: 800 },
  timezoneId: 'Europe/Berlin',
  permissions: ['clipboard-read', 'clipboard-write'],
})
const placeholder = 'Search by order ID, customer email, or product...'
const search = page.getByPlaceholder(placeholder)

async function visitOrders(address = '/orders') {
  await page.goto(address)
  await page.locator('h1', { hasText: 'Orders' }).waitFor()
}

test('a shop that has sold nothing says so', async () => {
  await replaceOrders(shop)
  await visitOrders()
  await page.getByText('Every sale, with who bought it and where it goes').waitFor()
  await page.getByText('No orders yet', { exact: true }).waitFor()
  await assertShows(() => search.count(), 1)
})

test('an order has seven columns', async () => {
  const [id] = await replaceOrders(shop, { amount: '1249.5' })
  await visitOrders()
  await orderRow(page, id).waitFor()
  await assertShows(
    () => page.getByRole('columnheader').allTextContents(),
    ['Order ID', 'Product', 'Customer', 'Delivery Address', 'Amount', 'Status', 'Date'],
  )
  const cells = await orderRow(page, id).getByRole('cell').allInnerTexts()
  assert.deepEqual(
    cells.map((text) => text.replaceAll(/\s+/g, ' ').trim()),
    [
      shortId(id),
      '? Mug',
      'Anna Müller anna@example.com +49 30 123456',
      'Lange Straße 12, Hinterhaus Berlin, 10115 Germany',
      '€1249.50',
      'Pending',
      'Nov 15, 2026 at 9:05 AM',
    ],
  )
  await assertShows(
    () => orderRow(page, id).locator('time').getAttribute('title'),
    /Europe\/Berlin time/,
  )
})

test('what is missing is a dash, a question mark or Unknown', async () => {
  const nobody = { customerName: null, customerEmail: null, customerPhone: null }
  const [id] = await replaceOrders(shop, { ...nobody, productName: '', currency: 'CZK' })
  await visitOrders()
  const cells = orderRow(page, id).getByRole('cell')
  await assertShows(() => cells.nth(1).innerText(), /^\?\s+Unknown$/)
  assert.equal((await cells.nth(2).innerText()).replaceAll(/\s/g, ''), '–––')
  await assertShows(() => cells.nth(4).innerText(), 'Kč49.00')
})

test('each status has its text, its icon and its colour', async () => {
  const ids = await replaceOrders(
    shop,
    { status: 'completed' },
    { status: 'shipped' },
    { status: 'processing' },
    { status: 'pending' },
  )
  await visitOrders()
  await listedRows(page).nth(3).waitFor()
  const hues: Record<string, string> = {}
  for (const id of ids) {
    const badge = orderRow(page, id).getByRole('cell').nth(5).locator('span').first()
    await assertShows(() => badge.locator('svg').count(), 1)
    hues[await badge.innerText()] = await badge.evaluate((element) => {
      const [red = 0, green = 0, blue = 0] = (
        getComputedStyle(element).color.match(/\d+/g) ?? []
      ).map(Number)
      if (Math.max(red, green, blue) - Math.min(red, green, blue) < 20) return 'grey'
      if (green > red && green > blue) return 'green'
      return red > green ? 'purple' : 'blue'
    })
  }
  assert.deepEqual(hues, {
    Completed: 'green',
    Shipped: 'purple',
    Processing: 'blue',
    Pending: 'grey',
  })
})

test('an order is found by its number, e-mail, name or product, in the address too', async () => {
  const ids = await replaceOrders(
    shop,
    { customerEmail: 'olivia@example.com', customerName: 'Olivia Smith', productName: 'Kettle' },
    {},
    {},
  )
  await visitOrders()
  await listedRows(page).nth(2).waitFor()
  await page.keyboard.press('/')
  for (const words of ['OLIVIA@', 'smith', 'kettle', ids[0]?.slice(0, 8).toUpperCase() ?? '']) {
    await search.fill(words)
    await page.waitForURL((url) => url.searchParams.get('q') === words)
    await orderRow(page, ids[1]).waitFor({ state: 'detached' })
    await orderRow(page, ids[0]).waitFor()
  }
  await search.fill('zzz')
  await page.getByText('No orders match your search', { exact: true }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()
  await orderRow(page, ids[1]).waitFor()
  await assertShows(() => search.inputValue(), '')
  await page.goBack()
  await page.getByText('No orders match your search', { exact: true }).waitFor()
  await assertShows(() => search.inputValue(), 'zzz')
  await page.goBack()
  await orderRow(page, ids[2]).waitFor()
  await assertShows(() => search.inputValue(), '')
})

test('rows stay on the screen while the next answer loads', async () => {
  const [id] = await replaceOrders(shop, {}, { customerName: 'Olivia' })
  await visitOrders()
  await orderRow(page, id).waitFor()
  const { promise: enough, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(`**${apiRoutes.orders}?*q=olivia*`, async (route) => {
    await enough
    await route.continue()
  })
  await search.fill('olivia')
  await page.locator('table[aria-busy=true]').waitFor()
  await assertShows(() => orderRow(page, id).count(), 1)
  goOn()
  await orderRow(page, id).waitFor({ state: 'detached' })
  await page.unroute(`**${apiRoutes.orders}?*q=olivia*`)
})

test('a status is chosen by a link, and Back leaves it', async () => {
  const [pending, shipped] = await replaceOrders(shop, {}, { status: 'shipped' })
  await visitOrders()
  const filter = page.getByRole('navigation', { name: 'Status filter' })
  await filter.getByRole('link', { name: 'Shipped' }).click()
  await page.waitForURL('**/orders?status=shipped')
  await orderRow(page, pending).waitFor({ state: 'detached' })
  await orderRow(page, shipped).waitFor()
  await filter.getByRole('link', { name: 'Processing' }).click()
  await page.getByText('No processing orders', { exact: true }).waitFor()
  await page.goBack()
  await orderRow(page, shipped).waitFor()
  await page.goBack()
  await orderRow(page, pending).waitFor()
})

test('the export is the list that is on the screen', async () => {
  const ids = await replaceOrders(shop, { customerName: 'Olivia' }, {}, { customerName: 'Olivia' })
  await visitOrders('/orders?q=olivia&status=pending')
  await orderRow(page, ids[2]).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ])
  const lines: string[] = []
  for await (const piece of await file.createReadStream()) lines.push(String(piece))
  const text = lines.join('')
  assert.deepEqual(
    ids.map((id) => text.includes(id)),
    [true, false, true],
  )
})

test('an order opens beside the list with all its details, and Back closes it', async () => {
  const [double, first] = await replaceOrders(
    shop,
    {
      createdAt: new Date('2026-11-15T08:05:00Z'),
      billingAddress: {
        country: 'France',
        lastName: 'Dupont',
        address: '1 rue Haute',
        city: 'Lyon',
        postcode: '69002',
      },
      sumupTransactionId: 'transaction-7',
      acceptsNewsAt: new Date(),
    },
    // The delivery address once more.
    { createdAt: new Date('2026-11-15T08:01:00Z'), billingAddress: annasAddress },
  )
  await visitOrders()
  await orderRow(page, double).getByText('Possible duplicate').waitFor()
  // Anywhere in the row but on its buttons.
  await orderRow(page, double).getByText('Mug').click()
  const panel = page.getByRole('dialog', { name: `Order ${shortId(double)}` })
  for (const text of ['Hinterhaus', 'Dupont', 'transaction-7', 'Wants news and offers', double])
    await panel.getByText(text ?? '', { exact: true }).waitFor()
  await panel.getByText('Nothing has happened yet.').waitFor()
  const thanks = panel.getByRole('link', { name: 'Open the thank-you page' })
  await assertShows(() => thanks.getAttribute('href'), `/thank-you/${double}`)
  await panel.getByRole('button', { name: 'Copy Order ID' }).click()
  await toast(page, 'Copied!').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), double)
  await panel.getByRole('link', { name: `Look at order ${shortId(first)}` }).click()
  const other = page.getByRole('dialog', { name: `Order ${shortId(first)}` })
  await other.getByText('Same as delivery address').waitFor()
  await assertShows(() => other.getByText('Lange Straße 12').count(), 1)
  await page.reload()
  await pressEscapeIn(page.getByRole('dialog', { name: `Order ${shortId(first)}` }))
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).search, '')
})

test('an order that the list does not hold opens by its link; one that does not exist says so', async () => {
  const [id] = await replaceOrders(shop, {}, ...repeatOrder(2, { status: 'shipped' }))
  await visitOrders(`/orders?status=shipped&order=${id}`)
  await page.getByRole('dialog').getByText('Lange Straße 12').waitFor()
  for (const missing of ['00000000-0000-0000-0000-000000000000', 'summary', 'export.csv']) {
    await visitOrders(`/orders?order=${missing}`)
    await page.getByRole('dialog').getByText('Order not found').waitFor()
  }
})

test('a list that does not load says so and offers another try', async () => {
  const [id] = await replaceOrders(shop, {})
  await page.route(`**${apiRoutes.orders}?*`, (route) => route.fulfill({ status: 503 }))
  await visitOrders()
  await page.getByText('Your orders could not be loaded').waitFor()
  await page.unroute(`**${apiRoutes.orders}?*`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await orderRow(page, id).waitFor()
})

test('a refresh shows new orders', async () => {
  await replaceOrders(shop, {})
  await visitOrders()
  await listedRows(page).first().waitFor()
  const [fresh] = await replaceOrders(shop, {}, {})
  await page.getByRole('button', { name: 'Look for new orders' }).click()
  await orderRow(page, fresh).waitFor()
})

test('refunds and chargebacks are shown in the list, the order and its history', async () => {
  const ids = await replaceOrders(shop, {}, {}, {}, {}, {})
  const [partly, all, partlyBack] = ids
  const returned = [
    { refunded: '10.00' },
    { refunded: '49.00' },
    { chargedBack: '10.00' },
    { chargedBack: '49.00' },
    {},
  ]
  const rows = await shop.db.select().from(orders)
  for (const [index, change] of returned.entries())
    await addPayment(
      shop.db,
      rows.find(({ id }) => id === ids[index]),
      change,
    )
  await shop.db
    .insert(orderTimeline)
    .values({ orderId: partly ?? '', actor: 'shop', event: 'refunded', amount: '10.00' })
  await page.goto('/orders')
  const amounts = page.locator('tbody tr td:nth-child(5)')
  await amounts.first().waitFor()
  await assertShows(
    () => amounts.allInnerTexts(),
    [
      '€49.00\n\nPartly refunded',
      '€49.00\n\nRefunded',
      '€49.00\n\nPartly charged back',
      '€49.00\n\nCharged back',
      '€49.00',
    ],
  )
  await page.goto(`/orders?order=${partly}`)
  const panel = page.getByRole('dialog')
  await panel.getByText('€10.00 of €49.00 was given back to the customer.').waitFor()
  await panel.getByText('Refunded €10.00').waitFor()
  await page.goto(`/orders?order=${all}`)
  await panel.getByText('€49.00 of €49.00 was given back').waitFor()
  await panel.getByText('Do not ship it unless you have agreed so.').waitFor()
  await page.goto(`/orders?order=${partlyBack}`)
  await panel.getByText('€10.00 of €49.00 was charged back').waitFor()
  await page.goto('/fulfillment')
  await page.getByText('Charged back', { exact: true }).waitFor()
})

test('an erased customer is shown as erased in the list, in the panel and on the thank-you page', async () => {
  const [id = ''] = await replaceOrders(shop, { status: 'shipped' })
  const headers = await shop.signIn()
  const payload = { email: 'anna@example.com', password: testAdmin.password }
  await shop.app.inject({ method: 'POST', url: apiRoutes.customerErase, headers, payload })
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  await page.goto('/orders')
  const row = orderRow(page, id)
  await row.getByText('Erased', { exact: true }).waitFor()
  await row.getByText('Germany', { exact: true }).waitFor()
  assert.doesNotMatch(await row.innerText(), /anna|müller|berlin|Lange Straße/i)
  await row.getByRole('link', { name: shortId(id) }).click()
  const panel = page.getByRole('dialog')
  await panel.getByText(/Name, address and contact were erased on/).waitFor()
  await panel.getByText('Customer data erased').waitFor()
  assert.doesNotMatch(await panel.innerText(), /anna|müller|berlin|Lange Straße|news and offers/i)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.goto(thankYouPath(id))
  await page.getByText('Thank you!', { exact: true }).waitFor()
  await page.getByText('Germany', { exact: true }).waitFor()
  assert.doesNotMatch(await page.locator('main').innerText(), /anna|müller|berlin|Lange Straße/i)
})
