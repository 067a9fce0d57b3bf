import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { otherMethodIds } from '#contract/payment-methods.ts'
import { checkoutPath } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { startElsewhere } from '#server/testing/sale.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  bankFrame,
  buyer,
  cardNumber,
  challengeCard,
  countOrders,
  failureText,
  fillCard,
  getNewestCheckout,
  openCheckoutPage,
  pay,
  payButton,
  toast,
  waitForCardForm,
  waitForOrders,
} from '#e2e/testing/checkout-page.ts'
import {
  backToCard,
  chooseOtherWays,
  method,
  offerMethods,
  otherWays,
  press,
} from '#e2e/testing/other-ways.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'
import { openRelay } from '#e2e/testing/relay.ts'

/** The account has all but one. */
const methods = otherMethodIds.filter((id) => id !== 'eps')
const shop = await openBrowserShop({ merchant: { methods } })
const network = await openRelay(shop.address)
beforeEach(() => {
  offerMethods(shop, otherMethodIds)
  shop.sandbox.faults.clear()
  network.restore()
})

/** A buyer with all fields filled in, and the other ways to pay in the place of the card form. */
async function openOthers(page?: Page): Promise<Page> {
  const opened = page ?? (await openCheckoutPage(shop))
  await chooseOtherWays(opened)
  return opened
}

/** The same buyer on the page that the method leads to. */
async function leaveFor(name: string, opened?: Page): Promise<Page> {
  const page = await openOthers(opened)
  page.on('dialog', () => assert.fail('the browser asked whether to leave'))
  await method(page, name).click()
  await page.getByRole('heading', { name: `Pay with ${name}` }).waitFor()
  return page
}

const notConfirmed = (page: Page) =>
  page.getByRole('heading', { name: 'Your payment is not confirmed yet' })

/** Only the panel is there. */
async function assertNotConfirmed(page: Page): Promise<void> {
  await notConfirmed(page).waitFor()
  await page.getByText('There is no need to pay again').waitFor()
  await assertWaits(page)
}

/** Nothing to pay with, and no word of a failure. */
async function assertWaits(page: Page): Promise<void> {
  await assertShows(() => cardNumber(page).count(), 0)
  await assertShows(() => payButton(page).count(), 0)
  await assertShows(() => otherWays(page).count(), 0)
  assert.equal(await failureText(page).count(), 0)
}

async function assertBoughtWith(page: Page, name: string): Promise<void> {
  await page.waitForURL('**/thank-you/*')
  await page.getByText(name, { exact: true }).first().waitFor()
  await page.getByText(buyer.city).first().waitFor()
}

/** The card form is back, and pays for the one order. */
async function assertCardPays(page: Page, ordersBefore: number): Promise<void> {
  await assertShows(() => page.getByLabel('City').first().inputValue(), buyer.city)
  await fillCard(page)
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), ordersBefore + 1)
}

const attempts = () => getNewestCheckout(shop).transactions.map(({ status }) => status)

test('a wallet is asked only once the address is known, and pays, also where SumUp needs a while', async () => {
  const before = await countOrders(shop)
  const rule = { on: 'process', kind: 'late-paid', ms: 5_000, count: 1 } as const
  shop.sandbox.faults.set({ rules: [rule] })
  const page = await openCheckoutPage(shop)
  await otherWays(page).click()
  await page.getByRole('heading', { name: 'There is a problem' }).waitFor()
  assert.equal(await method(page, 'Google Pay').count(), 0)
  await openOthers(page)
  await assertShows(() => page.getByLabel('City').first().isDisabled(), true)
  await assertShows(() => payButton(page).count(), 0)
  await assertShows(() => cardNumber(page).isVisible(), false)
  await method(page, 'Google Pay').click()
  await press(page, 'Confirm in the wallet')
  await assertBoughtWith(page, 'Google Pay')
  assert.deepEqual(attempts(), ['SUCCESSFUL'])
  assert.equal(await countOrders(shop), before + 1)
})

test('a wallet is closed, then its card is declined: each time the same card form comes back, and a card pays', async () => {
  const before = await countOrders(shop)
  const page = await openOthers()
  const { id } = getNewestCheckout(shop)
  await method(page, 'Apple Pay').click()
  await press(page, 'Close the wallet')
  await toast(page, 'Please look again').waitFor()
  await page.getByText('No payment has arrived').first().waitFor()
  await openOthers(page)
  await method(page, 'Apple Pay').click()
  await press(page, 'Use a card that is declined')
  await toast(page, 'Payment failed').waitFor()
  await openOthers(page)
  await backToCard(page).click()
  await assertShows(() => backToCard(page).count(), 0)
  await assertCardPays(page, before)
  assert.equal(getNewestCheckout(shop).id, id)
  assert.deepEqual(attempts(), ['FAILED', 'SUCCESSFUL'])
})

test('only what the account has and the owner wants is offered; a bank asks about the card in a wallet, and says yes', async () => {
  offerMethods(shop, ['eps'])
  const page = await openCheckoutPage(shop)
  await assertShows(() => otherWays(page).count(), 0)
  // It does not leave the page, so that the bank asks inside of it.
  offerMethods(shop, ['apple_pay', 'google_pay'])
  await page.reload()
  await page.getByText('Apple Pay, Google Pay', { exact: true }).waitFor()
  await openOthers(page)
  await method(page, 'Apple Pay').click()
  await press(page, 'Use a card that the bank asks about')
  await bankFrame(page).getByRole('button', { name: 'Approve' }).click()
  await assertBoughtWith(page, 'Apple Pay')
  assert.deepEqual(attempts(), ['SUCCESSFUL'])
})

test('iDEAL is cancelled, PayPal fails: each time the card form comes back, and PayPal pays then', async () => {
  const before = await countOrders(shop)
  const page = await leaveFor('iDEAL')
  await press(page, 'Cancel')
  await toast(page, 'Please look again').waitFor()
  assert.equal(new URL(page.url()).search, '')
  await leaveFor('PayPal', page)
  await press(page, 'Fail')
  await toast(page, 'Payment failed').waitFor()
  await leaveFor('PayPal', page)
  await press(page, 'Pay')
  await assertBoughtWith(page, 'PayPal')
  assert.deepEqual(attempts(), ['CANCELLED', 'FAILED', 'SUCCESSFUL'])
  assert.equal(await countOrders(shop), before + 1)
})

test('PayPal is pending for minutes, then fails: only then is there a form again', async () => {
  const before = await countOrders(shop)
  const page = await leaveFor('PayPal')
  await press(page, 'Fail in two minutes')
  await assertNotConfirmed(page)
  await page.getByRole('button', { name: 'I did not finish the payment' }).click()
  await page.getByText('This payment is still under way').waitFor()
  await assertNotConfirmed(page)
  const { id } = getNewestCheckout(shop)
  await shop.sandbox.controls.answerBank({ checkout: id, outcome: 'decline' })
  await toast(page, 'Payment failed').waitFor()
  await assertCardPays(page, before)
})

/** A new product's checkout page, by the network that can be lost. */
async function openByNetwork(): Promise<Page> {
  const page = await shop.visit({ baseURL: network.address })
  await page.goto(checkoutPath(await addMug(shop)))
  return page
}

const unreachable = (page: Page) =>
  page.getByText('The shop cannot be reached right now. Please do not pay again')

test('the answer to a wallet’s payment is lost with the network: the page finds the order', async () => {
  const before = await countOrders(shop)
  const page = await openOthers(await openByNetwork())
  await method(page, 'Apple Pay').click()
  const lost = network.cutAt('PUT /sandbox/v0.2/checkouts/', { isDelivered: true })
  await press(page, 'Confirm in the wallet')
  await lost
  await unreachable(page).waitFor()
  await page.getByRole('button', { name: 'Processing' }).waitFor()
  assert.equal(await failureText(page).count(), 0)
  network.restore()
  await assertBoughtWith(page, 'Apple Pay')
  assert.deepEqual(attempts(), ['SUCCESSFUL'])
  assert.equal(await countOrders(shop), before + 1)
})

test('the network is lost on the way back from PayPal, which is paid minutes later: no second payment, and the order', async () => {
  const before = await countOrders(shop)
  const page = await leaveFor('PayPal', await openByNetwork())
  const lost = network.cutAt('GET /api/sumup/checkouts/', { isDelivered: true })
  await press(page, 'Pay in two minutes')
  await lost
  await unreachable(page).waitFor()
  await assertWaits(page)
  network.restore()
  await assertNotConfirmed(page)
  await page.reload()
  await assertNotConfirmed(page)
  const { id } = getNewestCheckout(shop)
  await shop.sandbox.controls.answerBank({ checkout: id, outcome: 'approve' })
  await assertBoughtWith(page, 'PayPal')
  assert.equal(await countOrders(shop), before + 1)
})

test('what the widget shows stays while it is paid elsewhere, such as a code for a phone', async () => {
  const page = await openOthers()
  const { id } = getNewestCheckout(shop)
  await startElsewhere(shop.sandbox, id, 'twint')
  await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
  await page.getByText('Does the payment not go on here?').waitFor()
  await assertShows(() => backToCard(page).count(), 0)
  await assertShows(() => method(page, 'TWINT').isVisible(), true)
  await shop.sandbox.controls.answerBank({ checkout: id, outcome: 'approve' })
  await assertBoughtWith(page, 'TWINT')
})

test('Back from PayPal without paying: no second payment until the first is given up', async () => {
  const before = await countOrders(shop)
  const page = await leaveFor('PayPal')
  const old = getNewestCheckout(shop)
  // PayPal's first page only posts a form.
  await page.evaluate(() => history.go(-2))
  await assertNotConfirmed(page)
  await page.getByRole('button', { name: 'I did not finish the payment' }).click()
  await waitForCardForm(page)
  assert.equal(await failureText(page).count(), 0)
  await pay(page)
  await page.waitForURL('**/thank-you/*')
  assert.notEqual(getNewestCheckout(shop).id, old.id)
  const charged = shop.sandbox
    .ledger()
    .transactions.filter(({ checkoutId }) =>
      [old.id, getNewestCheckout(shop).id].includes(checkoutId),
    )
  assert.deepEqual(
    charged.map(({ status }) => status),
    ['CANCELLED', 'SUCCESSFUL'],
  )
  assert.equal(await countOrders(shop), before + 1)
})

test('PayPal leads away and back to the order; meanwhile another tab takes no second payment', async () => {
  const before = await countOrders(shop)
  const page = await openOthers()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await method(page, 'PayPal').click()
  await page.getByRole('heading', { name: 'Pay with PayPal' }).waitFor()
  await other.reload()
  await assertNotConfirmed(other)
  await press(page, 'Pay')
  await assertBoughtWith(page, 'PayPal')
  await other.waitForURL('**/thank-you/*')
  assert.deepEqual(attempts(), ['SUCCESSFUL'])
  assert.equal(await countOrders(shop), before + 1)
})

test('the way back leads to another browser: it says so, shows no form by itself, and the order is made without it', async () => {
  const before = await countOrders(shop)
  const page = await leaveFor('iDEAL')
  const { id, redirectUrl } = getNewestCheckout(shop)
  const other = await shop.visit()
  const lost = other.getByRole('heading', { name: 'We cannot follow this payment from here' })
  // Also where the owner has switched all of that off meanwhile.
  offerMethods(shop, [])
  await other.goto(`${redirectUrl}?checkout_id=${id}`)
  await lost.waitFor()
  await other.getByText('check whether you were charged').waitFor()
  assert.equal(new URL(other.url()).search, '')
  offerMethods(shop, otherMethodIds)
  for (const returned of ['..', 'x'.repeat(3_000), id]) {
    await other.evaluate(() => sessionStorage.clear())
    await other.goto(`${redirectUrl}?checkout_id=${returned}`)
    await lost.waitFor()
    assert.equal(new URL(other.url()).search, '')
  }
  await assertShows(() => payButton(other).count(), 0)
  await other.getByRole('button', { name: 'Start over' }).click()
  await waitForCardForm(other)
  await press(page, 'Pay and do not go back')
  await page.getByText('You can go back to the shop').waitFor()
  await waitForOrders(shop, before + 1)
  // Deleted since: who may have paid is not only told that there is no such product.
  const productId = new URL(redirectUrl ?? '').pathname.split('/').at(-1) ?? ''
  await shop.db.update(products).set({ deletedAt: new Date() }).where(eq(products.id, productId))
  shop.shop.productCache.outdate(productId)
  await other.goto(`${redirectUrl}?checkout_id=${id}`)
  await lost.waitFor()
})

test('a bank asks about a card on a page of its own, and comes back: with a no, then with a yes', async () => {
  const before = await countOrders(shop)
  // The page was loaded before a way to pay was offered that leaves it.
  offerMethods(shop, [])
  const page = await shop.visit()
  page.on('dialog', () => assert.fail('the browser asked whether to leave'))
  await page.route('**/create-checkout', (route) => {
    offerMethods(shop, otherMethodIds)
    return route.continue()
  })
  await page.goto(checkoutPath(await addMug(shop)))
  await waitForCardForm(page)
  await pay(page, challengeCard)
  const asked = page.getByRole('heading', { name: 'Confirm your payment' })
  await asked.waitFor()
  await press(page, 'Decline')
  await toast(page, 'Payment failed').waitFor()
  assert.equal(await countOrders(shop), before)
  await assertShows(() => page.getByLabel('City').first().inputValue(), buyer.city)
  await fillCard(page, challengeCard)
  await payButton(page).click()
  await asked.waitFor()
  await press(page, 'Approve')
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
})
