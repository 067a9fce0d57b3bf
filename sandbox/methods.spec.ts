import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cards, openSandbox } from './testing/sandbox.ts'
import { openPages, typeCard } from './testing/widget-page.ts'

const sandbox = await openSandbox({ merchant: { methods: ['apple_pay', 'google_pay', 'paypal'] } })
const { create, read } = sandbox
const { visit, shopUrl } = await openPages(sandbox)
const googlePay = { merchantId: 'BCR2DN4TX7Q3RZ2K', merchantName: 'Shop' }

/** A widget that shows these methods; all that there are by default. */
async function show(
  shown: string[] | undefined,
  { config = {}, redirectUrl = `${shopUrl}/back` as string | undefined } = {},
) {
  const { id } = await create(redirectUrl ? { redirect_url: redirectUrl } : {})
  const shop = await visit()
  await shop.page.evaluate(`window.chosenMethods = ${JSON.stringify(shown)}`)
  await shop.mount({ checkoutId: id, showSubmitButton: false, ...config })
  await shop.waitFor('load')
  const button = (name: string) => shop.page.getByRole('button', { name })
  return { id, ...shop, button }
}

const names = (methods: { eligible: { id: string }[] }) => methods.eligible.map(({ id }) => id)

test('the shop is asked which of the methods are shown', async () => {
  const all = await show(undefined, { config: { googlePay } })
  assert.deepEqual(names(await all.waitFor('methods')), [
    'card',
    'apple_pay',
    'google_pay',
    'paypal',
  ])
  await all.button('Pay with PayPal').waitFor()
  await all.page.getByLabel('Card number').waitFor()

  const card = await show(['card'])
  await card.page.getByLabel('Card number').waitFor()
  assert.equal(await card.page.getByRole('button').count(), 0)

  const others = await show(['apple_pay', 'paypal'])
  assert.equal(await others.page.getByLabel('Card number').isVisible(), false)
  assert.equal(await others.page.getByRole('button').count(), 2)
})

test('Google Pay needs its option, and PayPal a way back', async () => {
  const { waitFor } = await show(undefined, { redirectUrl: '' })
  assert.deepEqual(names(await waitFor('methods')), ['card', 'apple_pay'])
})

test('a confirmed wallet pays', async () => {
  const { id, button, waitFor, types } = await show(['apple_pay'])
  await button('Pay with Apple Pay').click()
  await button('Confirm in the wallet').click()
  const { status, payment_method: method } = await waitFor('success')
  assert.deepEqual([status, method], ['PAID', 'apple_pay'])
  assert.deepEqual(types(), ['methods', 'load', 'sent', 'success'])
  assert.equal((await read(id)).status, 'PAID')
})

test('a wallet with a declined card pays nothing, and can be tried again', async () => {
  const { id, button, waitFor } = await show(['apple_pay'])
  await button('Pay with Apple Pay').click()
  await button('Use a card that is declined').click()
  assert.equal((await waitFor('success')).status, 'FAILED')
  assert.equal((await read(id)).status, 'FAILED')
  await button('Pay with Apple Pay').waitFor()
})

test('a bank asks about the card in a wallet, and pays', async () => {
  const { id, page, button, types, waitFor } = await show(['apple_pay'], { redirectUrl: '' })
  await button('Pay with Apple Pay').click()
  await button('Use a card that the bank asks about').click()
  const bank = page.frameLocator('iframe')
  await bank.getByRole('heading', { name: 'Confirm your payment' }).waitFor()
  await bank.getByRole('button', { name: 'Approve' }).click()
  assert.equal((await waitFor('success')).status, 'PAID')
  assert.deepEqual(types(), ['methods', 'load', 'sent', 'auth-screen', 'success'])
  assert.equal((await read(id)).status, 'PAID')
})

test('a closed wallet sends nothing', async () => {
  const { id, button, waitFor, types } = await show(['apple_pay'])
  await button('Pay with Apple Pay').click()
  await button('Close the wallet').click()
  await waitFor('fail')
  assert.equal(types().includes('sent'), false)
  assert.deepEqual((await read(id)).transactions, [])
})

test('PayPal leaves the shop, and comes back with the checkout', async () => {
  const { id, page, button } = await show(['paypal'])
  await button('Pay with PayPal').click()
  await page.getByText('€10.10').waitFor()
  await page.getByRole('heading', { name: 'Pay with PayPal' }).waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(`${shopUrl}/back?checkout_id=${id}`)
  assert.equal((await read(id)).status, 'PAID')
})

test('who does not go back stays on the method’s page', async () => {
  const { id, page, button } = await show(['paypal'])
  await button('Pay with PayPal').click()
  await page.getByRole('button', { name: 'Pay and do not go back' }).click()
  await page.getByText('You can go back to the shop').waitFor()
  assert.equal((await read(id)).status, 'PAID')
})

test('beside other methods a card pays as ever', async () => {
  const { id, page, waitFor } = await show(undefined)
  await typeCard(page, cards.good)
  await page.evaluate('card.submit()')
  await waitFor('success')
  assert.equal((await read(id)).transactions[0].entry_mode, 'CUSTOMER_ENTRY')
})
