import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { sandboxCards } from './cards.ts'
import { cards, openSandbox } from './testing/sandbox.ts'
import { openPages, typeCard } from './testing/widget-page.ts'

const sandbox = await openSandbox({ merchant: { methods: [] } })
const { create, read, faults } = sandbox
const { visit, nonce } = await openPages(sandbox)

test('a card pays, and the shop is notified of every step', async () => {
  const { id, checkout_reference: reference } = await create()
  const { page, mount, waitFor, types } = await visit()
  await mount({ checkoutId: id, showAmount: true })
  assert.deepEqual(await waitFor('methods'), { eligible: [{ id: 'card' }] })
  await waitFor('load')
  await typeCard(page, cards.good)
  assert.equal(await page.getByLabel('Card number').inputValue(), '4200 0000 0000 0091')
  assert.equal(await page.getByLabel('Expiry date').inputValue(), '12/35')
  await page.getByRole('button', { name: 'Pay €10.10' }).click()
  const success = await waitFor('success')
  assert.deepEqual(types(), ['methods', 'load', 'sent', 'success'])
  assert.deepEqual(await waitFor('sent'), { last_4_digits: '0091', card_type: 'VISA' })
  const paid = await read(id)
  assert.equal(paid.status, 'PAID')
  assert.equal(success.status, 'PAID')
  assert.equal(success.transaction_id, paid.transaction_id)
  assert.equal(success.checkout_reference, reference)
  await page.getByRole('status').getByText('Payment successful').waitFor()
})

test("the shop's own button submits, and a second click while it pays does nothing", async () => {
  const { id } = await create()
  const { page, mount, waitFor, types } = await visit()
  await mount({ checkoutId: id, showSubmitButton: false, nonce })
  await waitFor('load')
  assert.equal(await page.getByRole('button').count(), 0)
  await typeCard(page, cards.good)
  await page.evaluate('card.submit(); card.submit()')
  await waitFor('success')
  assert.equal(types().filter((type) => type === 'sent').length, 1)
  assert.equal((await read(id)).transactions.length, 1)
})

test('a declined card leaves the form, and the next one pays the same checkout', async () => {
  const { id } = await create()
  const { page, mount, events, waitFor } = await visit()
  await mount({ checkoutId: id })
  await waitFor('load')
  await typeCard(page, cards.foreign)
  await page.getByLabel('Card number').press('Enter')
  assert.equal((await waitFor('success')).status, 'FAILED')
  await page.getByRole('alert').getByText('declined').waitFor()
  assert.equal((await read(id)).status, 'FAILED')
  const seen = events.length
  await page.getByLabel('Card number').fill(cards.good)
  await page.getByLabel('Card number').press('Enter')
  assert.equal((await waitFor('success', seen)).status, 'PAID')
  assert.equal((await read(id)).transactions.length, 2)
})

test('invalid fields show an error and nothing is sent', async () => {
  const { id } = await create()
  const { page, mount, waitFor, types } = await visit()
  await mount({ checkoutId: id, showZipCode: true, showEmail: true, showInstallments: true })
  await waitFor('load')
  await typeCard(page, '4200 0000 0000 0092')
  await page.getByLabel('Expiry date').fill('01/20')
  await page.evaluate('card.submit()')
  const { errors } = await waitFor('invalid')
  assert.deepEqual(
    errors.map(({ param }: { param: string }) => param),
    ['card.number', 'card.expiry', 'card.zip_code', 'email'],
  )
  const number = page.getByLabel('Card number')
  assert.equal(await number.getAttribute('aria-invalid'), 'true')
  assert.equal(await page.evaluate('document.activeElement.name'), 'card.number')
  const error = page.getByText('Enter the long number on the front of your card')
  await error.waitFor()
  await number.fill(cards.good)
  assert.equal(await error.count(), 0)
  assert.equal(types().includes('sent'), false)
  assert.deepEqual((await read(id)).transactions, [])
})

test('update moves the widget to another checkout, and the old one stays unpaid', async () => {
  const [old, fresh] = [await create(), await create()]
  const { page, mount, waitFor, types } = await visit()
  await mount({ checkoutId: old.id })
  await waitFor('load')
  await typeCard(page, cards.good)
  const loaded = page.waitForResponse((response) => response.url().endsWith(fresh.id))
  await page.evaluate(`card.update({ checkoutId: '${fresh.id}', amount: '12.00' })`)
  await loaded
  await page.getByRole('button', { name: 'Pay €12.00' }).click()
  assert.equal((await waitFor('success')).id, fresh.id)
  assert.equal(types().filter((type) => type === 'load').length, 1)
  assert.equal((await read(old.id)).status, 'PENDING')
})

test('mounting again keeps the old checkout unless it was unmounted', async () => {
  const [old, fresh] = [await create(), await create()]
  const { page, mount, events, waitFor } = await visit()
  await mount({ checkoutId: old.id })
  await waitFor('load')
  await mount({ checkoutId: fresh.id })
  assert.equal(await page.locator('#sumup-card form').count(), 1)
  await typeCard(page, cards.good)
  await page.evaluate('card.submit()')
  assert.equal((await waitFor('success')).id, old.id)

  await page.evaluate('card.unmount()')
  assert.equal(await page.locator('#sumup-card').innerHTML(), '')
  const first = events.length
  await mount({ checkoutId: fresh.id })
  await waitFor('load', first)
  await page.evaluate("SumUpCard.unmount('sumup-card'); SumUpPayment.unmount()")
  const second = events.length
  await mount({ checkoutId: fresh.id })
  await waitFor('load', second)
  await typeCard(page, cards.good)
  await page.evaluate('card.submit()')
  assert.equal((await waitFor('success', second)).id, fresh.id)
})

test('an answer with an error, and one that never came, are errors to the shop', async () => {
  const { id } = await create()
  const { page, mount, events, waitFor } = await visit()
  await mount({ checkoutId: id })
  await waitFor('load')
  await typeCard(page, cards.good)
  faults.set({ rules: [{ on: 'process', kind: 'error-500' }] })
  await page.evaluate('card.submit()')
  assert.equal((await waitFor('error')).status, 500)
  const seen = events.length
  // No count: Chromium itself sends a PUT again when a kept connection breaks.
  faults.set({ rules: [{ on: 'process', kind: 'lost' }] })
  await page.evaluate('card.submit()')
  assert.equal((await waitFor('error', seen)).error_code, 'NETWORK_ERROR')
  faults.clear()
  assert.equal((await read(id)).status, 'PAID')
  const after = events.length
  await page.evaluate('card.submit()')
  assert.equal((await waitFor('error', after)).error_code, 'CHECKOUT_PROCESSED')
})

test('an error may be empty or in another language, and nothing was charged', async () => {
  const { id } = await create()
  const { page, mount, events, waitFor } = await visit()
  await mount({ checkoutId: id })
  await waitFor('load')
  await typeCard(page, sandboxCards.emptyError)
  await page.evaluate('card.submit()')
  assert.deepEqual(await waitFor('error'), {})
  const seen = events.length
  await typeCard(page, sandboxCards.foreignError)
  await page.evaluate('card.submit()')
  assert.deepEqual(await waitFor('error', seen), {
    message: 'Die Zahlung konnte nicht ausgeführt werden.',
  })
  assert.deepEqual((await read(id)).transactions, [])
  await typeCard(page, cards.good)
  await page.evaluate('card.submit()')
  assert.equal((await waitFor('success')).status, 'PAID')
})

test('a submit may lead to nothing at all', async () => {
  const { id } = await create()
  const { page, mount, waitFor, types } = await visit()
  await mount({ checkoutId: id })
  await waitFor('load')
  await typeCard(page, sandboxCards.silent)
  await page.evaluate('card.submit()')
  assert.deepEqual((await read(id)).transactions, [])
  // The next card shows that nothing was on its way.
  await typeCard(page, cards.good)
  await page.evaluate('card.submit()')
  await waitFor('success')
  assert.deepEqual(types(), ['methods', 'load', 'sent', 'success'])
})

test('an unknown checkout is an error, a method that is not wanted is not shown, demo pays', async () => {
  const { page, mount, events, waitFor } = await visit()
  await mount({ checkoutId: '9f6f9dd8-4a43-4a57-a1ed-4e2a0a4b1f10' })
  assert.equal((await waitFor('error')).error_code, 'NOT_FOUND')
  await page.evaluate("card.unmount(); window.chosenMethods = ['ideal']")
  await mount({ checkoutId: 'demo' })
  await page.getByText('There is no payment method').waitFor()
  await page.evaluate("card.unmount(); window.chosenMethods = ['card']")
  const seen = events.length
  await mount({ checkoutId: 'demo' })
  await waitFor('load', seen)
  await typeCard(page, cards.good)
  await page.evaluate('card.submit()')
  assert.equal((await waitFor('success')).status, 'PAID')
  await assert.rejects(mount({ checkoutId: 'demo', id: 'nowhere' }), /no element/)
})

test('the form is accessible: labels, autofill, 320 pixels, no axe violations', async () => {
  const { page, mount, waitFor } = await visit()
  await page.setViewportSize({ width: 320, height: 700 })
  await mount({ checkoutId: (await create()).id, showEmail: true })
  await waitFor('load')
  const tokens = { 'Card number': 'cc-number', 'Expiry date': 'cc-exp', 'Security code': 'cc-csc' }
  for (const [label, token] of Object.entries({ ...tokens, 'Name on card': 'cc-name' }))
    assert.equal(await page.getByLabel(label).getAttribute('autocomplete'), token)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
  await page.evaluate('card.submit()')
  await waitFor('invalid')
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  await page.evaluate(readFileSync(axe, 'utf8'))
  const found = await page.evaluate(
    "axe.run('main').then(({ violations }) => violations.map((v) => v.id))",
  )
  assert.deepEqual(found, [])
})
