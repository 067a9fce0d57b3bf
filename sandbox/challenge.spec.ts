import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sandboxCards } from './cards.ts'
import { cards, openSandbox } from './testing/sandbox.ts'
import { openPages, typeCard } from './testing/widget-page.ts'

const sandbox = await openSandbox()
const { create, read, controls } = sandbox
const { visit, shopUrl } = await openPages(sandbox)

/** A payer on the bank's page. */
async function reachBank(fields: Record<string, unknown> = {}, card = cards.challenged) {
  const { id } = await create(fields)
  const shop = await visit()
  await shop.mount({ checkoutId: id, showSubmitButton: false })
  await shop.waitFor('load')
  await typeCard(shop.page, card)
  const lengthBefore = await shop.page.evaluate<number>('history.length')
  await shop.page.evaluate('card.submit()')
  await shop.waitFor('auth-screen')
  return { id, ...shop, lengthBefore, bank: shop.page.frameLocator('iframe') }
}

test('an approval pays', async () => {
  const { id, page, bank, waitFor, types } = await reachBank()
  await bank.getByText('€10.10').waitFor()
  assert.equal((await read(id)).status, 'PENDING')
  await bank.getByRole('button', { name: 'Approve' }).click()
  const success = await waitFor('success')
  assert.equal(success.status, 'PAID')
  assert.equal(success.transaction_id, (await read(id)).transaction_id)
  assert.deepEqual(types(), ['methods', 'load', 'sent', 'auth-screen', 'success'])
  assert.equal(await page.locator('iframe').count(), 0)
})

test('after a decline another card can pay', async () => {
  const { id, page, bank, waitFor, events } = await reachBank()
  await bank.getByRole('button', { name: 'Decline' }).click()
  assert.equal((await waitFor('success')).status, 'FAILED')
  assert.equal((await read(id)).status, 'FAILED')
  const seen = events.length
  await typeCard(page, cards.good)
  await page.evaluate('card.submit()')
  assert.equal((await waitFor('success', seen)).status, 'PAID')
})

test('a cancelled payment charges nothing, and the checkout stays open', async () => {
  const { id, page, bank, waitFor, types } = await reachBank()
  await bank.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await waitFor('fail'), undefined)
  assert.equal(types().includes('success'), false)
  await page.getByText('Nothing was charged').waitFor()
  await page.getByLabel('Card number').waitFor()
  assert.equal((await read(id)).status, 'PENDING')
})

test('a message from anywhere else ends no challenge', async () => {
  const { id, page, bank, waitFor, types } = await reachBank()
  await page.evaluate(
    `postMessage({ type: 'sumup-challenge-ended', checkoutId: '${id}', status: 'SUCCESSFUL' }, '*')`,
  )
  await bank.getByRole('button', { name: 'Approve' }).click()
  await waitFor('success')
  assert.equal(types().filter((type) => type === 'success').length, 1)
})

test('a widget that is unmounted on the bank’s page reports nothing more', async () => {
  const { id, page, bank, types } = await reachBank()
  await bank.getByRole('button', { name: 'Approve' }).waitFor()
  await page.evaluate('card.unmount()')
  assert.equal(await page.locator('iframe').count(), 0)
  assert.equal(types().at(-1), 'auth-screen')
  assert.equal((await read(id)).status, 'PENDING')
})

test('with a redirect_url the payer leaves the page and comes back with the checkout', async () => {
  const { id, page } = await reachBank({ redirect_url: `${shopUrl}/back` })
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(`${shopUrl}/back?checkout_id=${id}`)
  assert.equal((await read(id)).status, 'PAID')
})

test('the bank’s page times out while the payment stays pending', async () => {
  const { id, page, waitFor, types } = await reachBank({}, sandboxCards.bankTimesOut)
  assert.equal(await waitFor('fail'), undefined)
  assert.deepEqual(types(), ['methods', 'load', 'sent', 'auth-screen', 'fail'])
  await page.getByText('not answered in time').waitFor()
  const waiting = await read(id)
  assert.deepEqual([waiting.status, waiting.transactions[0].status], ['PENDING', 'PENDING'])
  await controls.answerBank({ checkout: id, outcome: 'approve' })
  assert.equal((await read(id)).status, 'PAID')
})

test('the frame adds entries to the tab’s history, like a bank’s pages', async () => {
  const { page, bank, waitFor, lengthBefore } = await reachBank()
  // The page learns of an entry a moment after the frame shows it.
  const waitForLength = (length: number) => page.waitForFunction(`history.length === ${length}`)
  await bank.getByRole('button', { name: 'Approve' }).waitFor()
  // The form that leads to the bank.
  await waitForLength(lengthBefore + 1)
  await bank.getByRole('button', { name: 'Approve' }).click()
  await waitFor('success')
  // And the answer.
  await waitForLength(lengthBefore + 2)
})
