import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Request, Route } from 'playwright-core'
import { sessions } from '#server/db/admin-schema.ts'
import { orders } from '#server/db/schema.ts'
import { eq } from '#server/db/drizzle.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'
import { orderRow, shortId, waitForToast } from '#e2e/testing/order-pages.ts'

const shop = await openBrowserShop()
const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 }, bypassCSP: true })
const dialog = page.getByRole('dialog', { name: /^Refund/ })
const panel = page.getByRole('dialog', { name: /^Order/ })
let buyers = 0

/** A paid order. */
async function buy(): Promise<string> {
  const buyer = createBuyer(shop, `203.0.113.${(buyers += 1)}`)
  const checkoutId = await buyer.arrive(await addMug(shop))
  await payByCard(shop.sandbox, checkoutId)
  await buyer.order(checkoutId)
  const [order] = await shop.db.select().from(orders).where(eq(orders.sumupCheckoutId, checkoutId))
  return order?.id ?? ''
}

async function openRefund(id: string): Promise<void> {
  await page.goto(`/orders?order=${id}`)
  await panel.getByRole('button', { name: 'Refund' }).click()
  await dialog.waitFor()
}

test('an order is refunded in part, then the rest; the panel says so', async () => {
  const id = await buy()
  await openRefund(id)
  await page.waitForURL(`**/orders?refund=${id}`)
  await assertShows(() => dialog.getByLabel(/^Amount/).inputValue(), '49.00')
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await dialog.getByLabel(/^Amount/).fill('60')
  await dialog.getByRole('button', { name: 'Refund €60.00' }).click()
  await dialog.getByText('Only €49.00 are left.').waitFor()
  await dialog.getByLabel(/^Amount/).fill('20,5')
  await dialog.getByRole('button', { name: 'Refund €20.50' }).click()
  await waitForToast(page, 'Refunded')
  await panel.getByText('Partly refunded', { exact: true }).first().waitFor()
  await panel.getByRole('button', { name: 'Refund' }).click()
  await dialog.getByRole('button', { name: 'Refund €28.50' }).click()
  await panel.getByText('The money of this payment was given back already.').waitFor()
  await assertShows(
    () => panel.getByRole('list', { name: 'Refunds' }).getByRole('listitem').count(),
    2,
  )
  const refunds = shop.sandbox.ledger().transactions.flatMap((one) => one.refunds)
  assert.deepEqual(
    refunds.map(({ amountMinor }) => amountMinor),
    [2050, 2850],
  )
})

test('what SumUp refuses is told in plain words; what it has not said yet blocks the next', async () => {
  const id = await buy()
  shop.sandbox.faults.set({
    rules: [
      { on: 'refund', kind: 'refund-failed', count: 1 },
      { on: 'refund', kind: 'refund-pending', count: 1 },
    ],
  })
  await openRefund(id)
  await dialog.getByRole('button', { name: 'Refund €49.00' }).click()
  await dialog.getByText(/not enough money in your SumUp balance/).waitFor()
  await dialog.getByRole('button', { name: 'Refund €49.00' }).click()
  await waitForToast(page, 'In progress')
  await panel.getByText('A refund of this payment was asked for').waitFor()
  await assertShows(() => panel.getByRole('button', { name: 'Refund' }).count(), 0)
})

/** Amounts in cents that went back of an order. */
async function refundsAtSumup(id: string): Promise<number[]> {
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, id))
  const { transactions } = shop.sandbox.ledger()
  const paid = transactions.find((one) => one.id === order?.sumupTransactionId)
  return paid?.refunds.map(({ amountMinor }) => amountMinor) ?? []
}

test('the answer to a refund is lost: the dialog says that nobody knows, and offers no second one', async () => {
  const id = await buy()
  await openRefund(id)
  const isOfRefunds = (request: Request) => request.url().endsWith('/refunds')
  const loseAnswer = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route('**/api/orders/*/refund', loseAnswer, { times: 1 })
  const isReadAgain = page.waitForEvent('requestfinished', isOfRefunds)
  await dialog.getByRole('button', { name: 'Refund €49.00' }).click()
  await isReadAgain
  await dialog.getByText('it is not known whether SumUp was asked for the refund').waitFor()
  await assertShows(() => dialog.getByRole('button', { name: /^Refund/ }).count(), 0)
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await panel.getByText('The money of this payment was given back already.').waitFor()
  assert.deepEqual(await refundsAtSumup(id), [4900])
})

test('the session ends while the dialog is open: nothing is refunded until somebody logs in and asks again', async () => {
  const id = await buy()
  await openRefund(id)
  await dialog.getByLabel(/^Amount/).fill('5')
  await shop.db.delete(sessions)
  await dialog.getByRole('button', { name: 'Refund €5.00' }).click()
  await page.waitForURL('**/login')
  assert.deepEqual(await refundsAtSumup(id), [])
  await page.getByLabel('Username').fill(testAdmin.username)
  await page.getByLabel('Password', { exact: true }).fill(testAdmin.password)
  await page.keyboard.press('Enter')
  await waitForToast(page, 'Login successful')
  assert.deepEqual(await refundsAtSumup(id), [])
  await openRefund(id)
  await dialog.getByLabel(/^Amount/).fill('5')
  await dialog.getByRole('button', { name: 'Refund €5.00' }).click()
  await waitForToast(page, 'Refunded')
  await assertShows(() => refundsAtSumup(id), [500])
})

test('refunds of many are stopped half-way: what was begun ends, the others are not asked for', async () => {
  const ids = [await buy(), await buy(), await buy()] as const
  await page.goto('/fulfillment')
  for (const id of ids) await orderRow(page, id).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Refund…' }).click()
  await dialog.getByText('€147.00 in all').waitFor()
  const password = dialog.getByLabel('Your password')
  if ((await password.count()) > 0) await password.fill(testAdmin.password)
  // The first answer comes once Stop was clicked.
  const asked = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const holdAnswer = async (route: Route) => {
    asked.resolve()
    await stopped.promise
    await route.continue()
  }
  await page.route('**/api/orders/*/refund', holdAnswer, { times: 1 })
  await dialog.getByRole('button', { name: 'Refund €147.00' }).click()
  await asked.promise
  await dialog.getByRole('button', { name: 'Stop' }).click()
  stopped.resolve()
  await dialog.getByText('1 order gone through. 2 orders not asked for.').waitFor()
  const made = await Promise.all(ids.map(refundsAtSumup))
  assert.deepEqual(made.flat(), [4900])
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
})

test('selected orders are refunded in full, with a preview, the password and a list of what happened', async () => {
  // With those above more than may be refunded in an hour without the password.
  const ids = [await buy(), await buy(), await buy(), await buy()] as const
  const [first, , , refused] = ids
  await page.goto('/fulfillment')
  for (const id of ids) await orderRow(page, id).getByRole('checkbox').check()
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, refused))
  shop.sandbox.faults.set({
    rules: [{ on: 'refund', kind: 'refund-rejected', checkout: order?.sumupTransactionId ?? '' }],
  })
  await page.getByRole('button', { name: 'Refund…' }).click()
  await dialog.getByText('€196.00 in all').waitFor()
  await dialog.getByLabel('Your password').fill('wrong')
  await dialog.getByRole('button', { name: 'Refund €196.00' }).click()
  await dialog.getByText('The current password is not right.').waitFor()
  await dialog.getByLabel('Your password').fill(testAdmin.password)
  await dialog.getByRole('button', { name: 'Refund €196.00' }).click()
  const happened = dialog.getByRole('list', { name: 'What happened' })
  await happened
    .getByRole('listitem')
    .nth(ids.length - 1)
    .waitFor()
  const list = await happened.innerText()
  assert.match(list, new RegExp(`${shortId(first)}: Refunded\\.`))
  assert.match(list, new RegExp(`${shortId(refused)}: Not refunded\\. SumUp did not refund`))
})
