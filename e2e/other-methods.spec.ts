import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { defaultMethods, type OtherMethod, otherMethodIds } from '#contract/payment-methods.ts'
import { checkoutPath } from '#contract/paths.ts'
import { addMug } from '#server/testing/buyer.ts'
import { changeConfig } from '#server/testing/prices.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  buyer,
  cardNumber,
  challengeCard,
  countOrders,
  failureText,
  fillCard,
  fillDelivery,
  getNewestCheckout,
  openCheckoutPage,
  pay,
  payButton,
  toast,
  waitForCardForm,
  waitForOrders,
} from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
offer(...otherMethodIds)

/** What the owner has switched on. */
function offer(...methods: OtherMethod[]): void {
  const googlePayMerchantId = 'BCR2DN4TX7Q3RZ2K'
  changeConfig(shop, { methods: { ...defaultMethods, otherMethods: methods, googlePayMerchantId } })
}

const otherWays = (page: Page) => page.getByRole('button', { name: 'Other ways to pay' })
const backToCard = (page: Page) => page.getByRole('button', { name: 'Back to card' })
const method = (page: Page, name: string) => page.getByRole('button', { name: `Pay with ${name}` })
/** On the page of a method. */
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** A buyer with all fields filled in, and the other ways to pay in the place of the card form. */
async function openOthers(page?: Page): Promise<Page> {
  const opened = page ?? (await openCheckoutPage(shop))
  await waitForCardForm(opened)
  await fillDelivery(opened)
  await otherWays(opened).click()
  await backToCard(opened).waitFor()
  return opened
}

/** The same buyer on the page that the method leads to. */
async function leaveFor(name: string): Promise<Page> {
  const page = await openOthers()
  page.on('dialog', () => assert.fail('the browser asked whether to leave'))
  await method(page, name).click()
  await page.getByRole('heading', { name: `Pay with ${name}` }).waitFor()
  return page
}

const notConfirmed = (page: Page) =>
  page.getByRole('heading', { name: 'Your payment is not confirmed yet' })

/** The panel, nothing to pay with, and no word of a failure. */
async function assertNotConfirmed(page: Page): Promise<void> {
  await notConfirmed(page).waitFor()
  await page.getByText('There is no need to pay again').waitFor()
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

for (const name of ['Apple Pay', 'Google Pay']) {
  test(`${name} is asked only once the address is known, and pays`, async () => {
    const page = await openCheckoutPage(shop)
    await otherWays(page).click()
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor()
    assert.equal(await method(page, name).count(), 0)
    await openOthers(page)
    await assertShows(() => page.getByLabel('City').first().isDisabled(), true)
    await assertShows(() => payButton(page).count(), 0)
    await assertShows(() => cardNumber(page).isVisible(), false)
    await method(page, name).click()
    await press(page, 'Confirm in the wallet')
    await assertBoughtWith(page, name)
    assert.deepEqual(attempts(), ['SUCCESSFUL'])
  })

  test(`${name} is closed without paying: the card form comes back and pays`, async () => {
    const before = await countOrders(shop)
    const page = await openOthers()
    await method(page, name).click()
    await press(page, 'Close the wallet')
    await toast(page, 'Please look again').waitFor()
    await page.getByText('No payment has arrived').first().waitFor()
    await assertCardPays(page, before)
  })
}

test('the card in a wallet is declined: the buyer is told, and pays by another way on the same form', async () => {
  const page = await openOthers()
  const { id } = getNewestCheckout(shop)
  await method(page, 'Apple Pay').click()
  await press(page, 'Use a card that is declined')
  await toast(page, 'Payment failed').waitFor()
  await openOthers(page)
  await method(page, 'iDEAL').click()
  await press(page, 'Pay')
  await assertBoughtWith(page, 'iDEAL')
  assert.equal(getNewestCheckout(shop).id, id)
  assert.deepEqual(attempts(), ['FAILED', 'SUCCESSFUL'])
})

test('a buyer goes back to the card, and pays with it', async () => {
  const before = await countOrders(shop)
  const page = await openOthers()
  await backToCard(page).click()
  await assertShows(() => backToCard(page).count(), 0)
  await assertCardPays(page, before)
  assert.deepEqual(attempts(), ['SUCCESSFUL'])
})

for (const name of ['PayPal', 'iDEAL']) {
  test(`${name} leads away and back to the order`, async () => {
    const page = await leaveFor(name)
    await press(page, 'Pay')
    await assertBoughtWith(page, name)
    assert.deepEqual(attempts(), ['SUCCESSFUL'])
  })

  test(`${name} is cancelled: the card form comes back and pays`, async () => {
    const before = await countOrders(shop)
    const page = await leaveFor(name)
    await press(page, 'Cancel')
    await toast(page, 'Please look again').waitFor()
    assert.equal(new URL(page.url()).search, '')
    await assertCardPays(page, before)
    assert.deepEqual(attempts(), ['CANCELLED', 'SUCCESSFUL'])
  })

  test(`${name} fails: the buyer is told, and can try again`, async () => {
    const page = await leaveFor(name)
    await press(page, 'Fail')
    await toast(page, 'Payment failed').waitFor()
    await openOthers(page)
    await method(page, name).click()
    await press(page, 'Pay')
    await assertBoughtWith(page, name)
  })

  test(`${name} is pending for minutes, then paid`, async () => {
    const page = await leaveFor(name)
    await press(page, 'Pay in two minutes')
    await assertNotConfirmed(page)
    await page.reload()
    await assertNotConfirmed(page)
    const { id } = getNewestCheckout(shop)
    await shop.sandbox.controls.answerBank({ checkout: id, outcome: 'approve' })
    await assertBoughtWith(page, name)
  })

  test(`${name} is pending for minutes, then fails: only then is there a form again`, async () => {
    const before = await countOrders(shop)
    const page = await leaveFor(name)
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

  test(`${name} is paid and the buyer never comes back: the order is made without them`, async () => {
    const before = await countOrders(shop)
    const page = await leaveFor(name)
    await press(page, 'Pay and do not go back')
    await page.getByText('You can go back to the shop').waitFor()
    await waitForOrders(shop, before + 1)
  })
}

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

test('while a buyer is at PayPal another tab takes no second payment', async () => {
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
  assert.equal(await countOrders(shop), before + 1)
})

test('the way back leads to another browser: it says so, and shows no form by itself', async () => {
  const page = await leaveFor('iDEAL')
  const { id, redirectUrl } = getNewestCheckout(shop)
  const other = await shop.visit()
  await other.goto(`${redirectUrl}?checkout_id=${id}`)
  await other.getByRole('heading', { name: 'We cannot follow this payment from here' }).waitFor()
  await other.getByText('check whether you were charged').waitFor()
  await assertShows(() => payButton(other).count(), 0)
  await other.getByRole('button', { name: 'Start over' }).click()
  await waitForCardForm(other)
  await press(page, 'Pay')
  await assertBoughtWith(page, 'iDEAL')
})

for (const [answer, isPaid] of [
  ['Approve', true],
  ['Decline', false],
] as const)
  test(`a bank asks about a card on a page of its own, and comes back: ${answer}`, async () => {
    const before = await countOrders(shop)
    const page = await openCheckoutPage(shop)
    page.on('dialog', () => assert.fail('the browser asked whether to leave'))
    await pay(page, challengeCard)
    await page.getByRole('heading', { name: 'Confirm your payment' }).waitFor()
    await press(page, answer)
    if (isPaid) await page.waitForURL('**/thank-you/*')
    else await toast(page, 'Payment failed').waitFor()
    if (!isPaid) await assertCardPays(page, before)
    assert.equal(await countOrders(shop), before + 1)
  })

test('only what the account has and the owner wants is offered, and nothing where that is nothing', async () => {
  offer('apple_pay', 'twint')
  const page = await openCheckoutPage(shop)
  await page.getByText('Apple Pay, TWINT', { exact: true }).waitFor()
  const cardsOnly = await openBrowserShop({ merchant: { methods: ['eps'] } })
  changeConfig(cardsOnly, { methods: { ...defaultMethods, otherMethods: ['paypal'] } })
  const without = await openCheckoutPage(cardsOnly)
  await assertShows(() => otherWays(without).count(), 0)
  offer(...otherMethodIds)
})

test('the other ways to pay are free of accessibility faults, and keep the focus', async () => {
  const page = await shop.visit({ bypassCSP: true })
  await page.goto(checkoutPath(await addMug(shop)))
  await openOthers(page)
  await assertShows(
    () => page.evaluate(() => document.activeElement?.textContent ?? ''),
    'Other ways to pay',
  )
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await backToCard(page).click()
  await waitForCardForm(page)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
})
