import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from '#server/db/drizzle.ts'
import { mails, orders } from '#server/db/schema.ts'
import { orderLink } from '#server/orders/order-link.ts'
import { testSecret } from '#server/testing/test-shop.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
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

test('after one click to shipped, tracking is offered and Undo takes the offer back', async () => {
  const [id = ''] = await replaceOrders(shop, {})
  await page.goto('/fulfillment')
  await statusOf(id).selectOption('shipped')
  await waitForToast(page, 'Status updated')
  await offer.getByText(`Order ${shortId(id)} is shipped.`).waitFor()
  assert.equal((await readOrder(id))?.shipment, null)
  await page.getByRole('button', { name: 'Undo' }).click()
  await offer.waitFor({ state: 'detached' })
})

test('a number that only one carrier has chooses the carrier; the buyer gets mail and link', async () => {
  const [id = ''] = await replaceOrders(shop, {})
  await page.goto('/fulfillment')
  await statusOf(id).selectOption('shipped')
  await offer.getByRole('button', { name: 'Add tracking' }).click()
  await dialog.waitFor()
  await page.waitForURL(`**/fulfillment?tracking=${id}`)
  await dialog.getByRole('button', { name: 'Save tracking' }).click()
  await dialog.getByText('Choose a carrier from the list').waitFor()
  await numberField.fill('1Z 999 AA1 01 2345 6784')
  assert.equal(await carrierField.inputValue(), 'ups')
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
  await buyer.goto(orderLink('', id, testSecret))
  await buyer.getByText('On its way', { exact: true }).waitFor()
  const link = buyer.getByRole('link', { name: 'Track your parcel' })
  assert.equal(await link.getAttribute('href'), trackingUrl)
  const stranger = await shop.visit()
  await stranger.goto(`/thank-you/${id}`)
  await stranger.getByText('On its way', { exact: true }).waitFor()
  assert.equal(await stranger.getByText('1Z999AA10123456784').count(), 0)
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
  assert.equal(await carrierField.inputValue(), 'ups', 'the one before')
  await carrierField.selectOption('other')
  await dialog.getByRole('textbox', { name: 'Link' }).fill('http://parcels.example/1')
  await dialog.getByRole('button', { name: 'Mark as shipped' }).click()
  await dialog.getByText(/beginning with https/).waitFor()
  await dialog.getByRole('textbox', { name: 'Link' }).fill('https://parcels.example/1')
  await dialog.getByRole('button', { name: 'Mark as shipped' }).click()
  await panel.getByText('Tracking added').waitFor()
  await panel.getByText('Pending → Shipped').waitFor()
  const link = panel.getByRole('link', { name: 'Follow the parcel' })
  assert.equal(await link.getAttribute('href'), 'https://parcels.example/1')

  await panel.getByRole('button', { name: 'Change tracking' }).click()
  await dialog.getByText('No mail is sent for a change.').waitFor()
  assert.equal(
    await dialog.getByRole('textbox', { name: 'Link' }).inputValue(),
    'https://parcels.example/1',
  )
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await toast(page, 'Tracking removed').waitFor()
  await panel.getByRole('button', { name: 'Add tracking' }).waitFor()
  assert.equal((await readOrder(id))?.status, 'shipped')
})
