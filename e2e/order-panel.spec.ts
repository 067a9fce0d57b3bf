import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from '#server/db/drizzle.ts'
import { mails, orders } from '#server/db/schema.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'
import { orderRow, replaceOrders, shortId, waitForToast } from '#e2e/testing/order-pages.ts'

const shop = await openBrowserShop()
// Nothing is sent: the mails of this file only wait.
shop.shop.config.mail.smtpUrl = 'smtp://127.0.0.1:1'
const page = await shop.visitAsAdmin({
  viewport: { width: 1280, height: 900 },
  bypassCSP: true,
})
const panel = page.getByRole('dialog', { name: /^Order / })
const dialog = page.getByRole('dialog', { name: /^Customer of order/ })
const notes = panel.getByRole('region', { name: 'Notes' })
const history = panel.getByRole('region', { name: 'History' })

async function readOrder(id = '') {
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, id))
  return order
}

test('an order shows its number, is found by it and says how it was paid', async () => {
  const [id = ''] = await replaceOrders(shop, { paymentMethod: 'ideal' }, { customerName: 'Otto' })
  const number = (await readOrder(id))?.number
  await page.goto(`/orders?q=%23${number}`)
  await orderRow(page, id)
    .getByRole('link', { name: shortId(id) })
    .click()
  await panel.getByText(`#${number}`, { exact: true }).waitFor()
  await panel.getByText('iDEAL', { exact: true }).waitFor()
})

test('a note is added with who wrote it, together with that of somebody else, and deleted', async () => {
  const [id = ''] = await replaceOrders(shop, {})
  await page.goto(`/orders?order=${id}`)
  await notes.getByLabel('New note').fill('Called her:\nwants it as a gift')
  const other = await shop.visitAsAdmin({
    viewport: { width: 1280, height: 900 },
    bypassCSP: true,
  })
  await other.goto(`/orders?order=${id}`)
  await other.getByLabel('New note').fill('Neighbour takes it')
  await other.getByRole('button', { name: 'Add note' }).click()
  // Not in its field: closing the tab would stop it on its way.
  await other.getByRole('listitem').getByText('Neighbour takes it', { exact: true }).waitFor()
  await other.close()
  await notes.getByRole('button', { name: 'Add note' }).dblclick()
  await notes.getByRole('listitem').nth(1).getByText('wants it as a gift').waitFor()
  await notes.getByRole('listitem').first().getByText('Neighbour takes it').waitFor()
  await assertShows(() => notes.getByRole('listitem').count(), 2)
  await assertShows(() => notes.getByLabel('New note').inputValue(), '')
  await notes.getByRole('button', { name: 'Delete note' }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete note' }).click()
  await notes.getByText('Neighbour takes it').waitFor({ state: 'detached' })
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
})

test('a corrected customer stands in the history, and gets the confirmation again', async () => {
  const [id = ''] = await replaceOrders(shop, { status: 'shipped' })
  await page.goto(`/orders?order=${id}`)
  await panel.getByRole('button', { name: 'Correct' }).click()
  await dialog.getByText('the parcel has left').waitFor()
  await dialog.getByLabel('Email').fill('anna')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a valid email address').waitFor()
  await dialog.getByLabel('Email').fill('anna.mueller@example.com')
  await dialog.getByLabel('Address', { exact: false }).first().fill('Lange Straße 21')
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await waitForToast(page, 'Customer saved')
  await page.waitForURL(`**/orders?order=${id}`)
  await history.getByText('Address: Lange Straße 12 → Lange Straße 21').waitFor()
  await history.getByText('Email: anna@example.com → anna.mueller@example.com').waitFor()
  await panel.getByRole('button', { name: 'Resend confirmation' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('It goes to anna.mueller@example.com').waitFor()
  await question.getByRole('button', { name: 'Send again' }).click()
  await waitForToast(page, 'Confirmation is being sent')
  await history.getByText('Confirmation mail waits to be sent').waitFor()
  await panel.getByRole('button', { name: 'Resend confirmation' }).click()
  await question.getByRole('button', { name: 'Send again' }).click()
  await question.getByText('A confirmation is waiting to be sent already').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await shop.db.$count(mails, eq(mails.orderId, id)), 1)
})

test('who corrects an order that somebody else has corrected is shown how it is now', async () => {
  const [id = ''] = await replaceOrders(shop, {})
  await page.goto(`/orders?customer=${id}`)
  await dialog.getByLabel('City').fill('Potsdam')
  await shop.db.update(orders).set({ customerEmail: 'otto@example.com' }).where(eq(orders.id, id))
  await dialog.getByRole('button', { name: 'Save' }).click()
  const notice = dialog.getByRole('alert')
  await notice.getByText('Somebody else has changed the customer meanwhile').waitFor()
  await notice.getByText('otto@example.com').waitFor()
  await assertShows(() => dialog.getByLabel('City').inputValue(), 'Potsdam')
  assert.equal((await readOrder(id))?.shippingAddress.city, 'Berlin')
  await dialog.getByLabel('Email').fill('otto@example.com')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await waitForToast(page, 'Customer saved')
  const saved = await readOrder(id)
  assert.deepEqual(
    [saved?.customerEmail, saved?.shippingAddress.city],
    ['otto@example.com', 'Potsdam'],
  )
})
