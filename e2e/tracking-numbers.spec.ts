import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from '#server/db/drizzle.ts'
import { mails, orders } from '#server/db/schema.ts'
import { orderLink } from '#server/orders/order-link.ts'
import { testSecret } from '#server/testing/test-shop.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'
import { orderRow, replaceOrders, shortId, toast, waitForToast } from '#e2e/testing/order-pages.ts'

const shop = await openBrowserShop()
const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 } })
const dialog = page.getByRole('dialog', { name: /^Tracking of order/ })
const offer = page.getByRole('region', { name: 'Tracking' })
const numberField = dialog.getByLabel('Tracking number')
const carrierField = dialog.getByLabel('Carrier')

async function readOrder(id = '') {
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, id))
  return order
}

const statusOf = (id = '') => page.getByRole('combobox', { name: `Status of order ${shortId(id)}` })

test('after one click to shipped tracking is offered; a number that only one carrier has chooses it; the buyer gets mail and link', async () => {
  const [id = ''] = await replaceOrders(shop, {})
  await page.goto('/fulfillment')
  // No carrier is remembered.
  await page.evaluate(() => localStorage.clear())
  await statusOf(id).selectOption('shipped')
  await waitForToast(page, 'Status updated')
  await offer.getByText(`Order ${shortId(id)} is shipped.`).waitFor()
  assert.equal((await readOrder(id))?.shipment, null)
  const undone = page.waitForResponse(/\/status$/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await offer.waitFor({ state: 'detached' })
  await undone
  await toast(page, `Order ${shortId(id)} is back in Pending.`).waitFor()

  await statusOf(id).selectOption('shipped')
  await offer.getByRole('button', { name: 'Add tracking' }).click()
  await dialog.waitFor()
  await page.waitForURL(`**/fulfillment?tracking=${id}`)
  await dialog.getByRole('button', { name: 'Save tracking' }).click()
  await dialog.getByText('Choose a carrier from the list').waitFor()
  await numberField.fill('1Z 999 AA1 01 2345 6784')
  await assertShows(() => carrierField.inputValue(), 'ups')
  await dialog.getByRole('button', { name: 'Save tracking' }).click()
  await waitForToast(page, 'Tracking saved')
  await dialog.waitFor({ state: 'detached' })
  await offer.waitFor({ state: 'detached' })
  const trackingUrl = 'https://www.ups.com/track?tracknum=1Z999AA10123456784'
  assert.equal((await readOrder(id))?.shipment?.trackingUrl, trackingUrl)
  const queued = await shop.db.select().from(mails).where(eq(mails.orderId, id))
  assert.deepEqual(
    queued.map(({ kind }) => kind),
    ['shipped'],
  )

  const buyer = await shop.visit()
  await buyer.goto(orderLink('', { id, linkVersion: 0 }, testSecret))
  await buyer.getByText('On its way', { exact: true }).waitFor()
  const link = buyer.getByRole('link', { name: 'Track your parcel' })
  await assertShows(() => link.getAttribute('href'), trackingUrl)
})

test('the panel of a pending order ships it with tracking, and changes and removes it', async () => {
  const [id = ''] = await replaceOrders(shop, { status: 'pending' })
  await page.goto('/orders')
  await orderRow(page, id)
    .getByRole('link', { name: shortId(id) })
    .click()
  const panel = page.getByRole('dialog', { name: `Order ${shortId(id)}` })
  await panel.getByRole('button', { name: 'Add tracking' }).click()
  await dialog.getByText('Saving it marks the order as shipped.').waitFor()
  await carrierField.selectOption('other')
  await dialog.getByRole('textbox', { name: 'Link' }).fill('http://parcels.example/1')
  await dialog.getByRole('button', { name: 'Mark as shipped' }).click()
  await dialog.getByText(/beginning with https/).waitFor()
  await dialog.getByRole('textbox', { name: 'Link' }).fill('https://parcels.example/1')
  await dialog.getByRole('button', { name: 'Mark as shipped' }).click()
  await panel.getByText('Tracking added').waitFor()
  await panel.getByText('Pending → Shipped').waitFor()
  const link = panel.getByRole('link', { name: 'Follow the parcel' })
  await assertShows(() => link.getAttribute('href'), 'https://parcels.example/1')

  await panel.getByRole('button', { name: 'Change tracking' }).click()
  await dialog.getByText('No mail is sent for a change.').waitFor()
  await assertShows(
    () => dialog.getByRole('textbox', { name: 'Link' }).inputValue(),
    'https://parcels.example/1',
  )
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await toast(page, 'Tracking removed').waitFor()
  await panel.getByRole('button', { name: 'Add tracking' }).click()
  await assertShows(() => carrierField.inputValue(), 'other', 'the one before')
  assert.equal((await readOrder(id))?.status, 'shipped')
})

test('a pasted table shows what matches, and saves it as one bulk change', async () => {
  const [first = '', second = '', third = ''] = await replaceOrders(
    shop,
    { customerName: 'Anna Müller' },
    { customerName: 'Bert Maier' },
    { customerName: 'Cleo Weiß', status: 'shipped' },
  )
  await page.goto('/fulfillment')
  await page.getByRole('button', { name: 'Tracking numbers' }).click()
  const many = page.getByRole('dialog', { name: 'Add tracking' })
  await many.getByLabel('Carrier').selectOption('dpd')
  await many
    .getByLabel('Orders and tracking numbers')
    .fill(
      [
        'Order,Tracking',
        `${first.slice(0, 8)},01234567890123`,
        `${second},1Z999AA10123456784`,
        `${third.slice(0, 8)},3.4E+18`,
        'ffffffff,12345',
      ].join('\n'),
    )
  const preview = many.getByRole('region', { name: 'Preview' })
  await preview.getByText('2 of 4 line(s) will be saved').waitFor()
  const lines = preview.getByRole('listitem')
  await lines.filter({ hasText: 'Anna Müller' }).filter({ hasText: 'DPD' }).waitFor()
  await lines.filter({ hasText: 'Bert Maier' }).filter({ hasText: 'UPS' }).waitFor()
  await lines
    .filter({ hasText: 'Cleo Weiß' })
    .filter({ hasText: 'Changed by a spreadsheet' })
    .waitFor()
  await lines.filter({ hasText: 'No order has this number' }).waitFor()
  await many.getByRole('button', { name: 'Save 2 tracking number(s)' }).click()
  await waitForToast(page, 'Tracking saved')
  await many.waitFor({ state: 'detached' })
  assert.deepEqual(
    [(await readOrder(first))?.shipment?.carrier, (await readOrder(second))?.shipment?.carrier],
    ['dpd', 'ups'],
  )
  assert.equal((await readOrder(third))?.shipment, null)
  await statusOf(first).and(page.locator(':has(option:checked[value=shipped])')).waitFor()
  await page.getByRole('button', { name: 'Bulk changes' }).click()
  await page
    .getByRole('dialog')
    .getByText(/2 order/)
    .first()
    .waitFor()
})

test('after marking many as shipped, their numbers wait to be completed', async () => {
  const ids = await replaceOrders(shop, {}, {})
  await page.goto('/fulfillment')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Mark as Shipped' }).click()
  await waitForToast(page, 'Orders updated')
  await offer.getByText('2 orders are shipped.').waitFor()
  await offer.getByRole('button', { name: 'Add tracking' }).click()
  const many = page.getByRole('dialog', { name: 'Add tracking' })
  const field = many.getByLabel('Orders and tracking numbers')
  await assertShows(
    async () => (await field.inputValue()).split(/\s+/).filter(Boolean).toSorted(),
    ids.map((id) => id.slice(0, 8)).toSorted(),
  )
  await many.locator('input[type=file]').setInputFiles({
    name: 'parcels.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(ids.map((id, index) => `${id};1Z999AA1012345678${index}`).join('\n')),
  })
  await many.getByRole('button', { name: 'Save 2 tracking number(s)' }).click()
  await waitForToast(page, 'Tracking saved')
  for (const id of ids) assert.equal((await readOrder(id))?.shipment?.carrier, 'ups')
})

test('both dialogs have no accessibility issues, wide and narrow', async () => {
  const [id = ''] = await replaceOrders(shop, {})
  // Of a browser that remembers no carrier.
  const visitor = await shop.visitAsAdmin({ bypassCSP: true })
  await visitor.goto(`/orders?tracking=${id}`)
  await visitor.getByRole('button', { name: 'Mark as shipped' }).click()
  await visitor.getByText('Choose a carrier from the list').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(visitor), [])
  await visitor.goto('/fulfillment?tracking=many')
  const lines = `${id},12345\nffffffff,12346\nmug,12347`
  await visitor.getByLabel('Orders and tracking numbers').fill(lines)
  await visitor.getByText('1 of 3 line(s) will be saved').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(visitor), [])
})
