import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Locator } from 'playwright-core'
import { checkoutPath } from '#contract/paths.ts'
import { addMug, goodCard } from '#server/testing/buyer.ts'
import { listenToAnnouncements, readNames, tabTo, watchMotion } from '#e2e/testing/assistive.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  buyer,
  fillCard,
  pay,
  payButton,
  unknownCard,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { readStatuses, replaceOrders, shortId } from '#e2e/testing/order-pages.ts'
import { assertShows, findOverflow } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

const desktop = { viewport: { width: 1280, height: 800 } }
const situations: Record<string, BrowserContextOptions> = {
  // 1280 by 1024 pixels.
  'at 400 % zoom': { viewport: { width: 320, height: 256 } },
  'with forced colors': { ...desktop, forcedColors: 'active', colorScheme: 'dark' },
}
const hasForcedColors = ({ forcedColors }: BrowserContextOptions) => forcedColors === 'active'

/** None of them may be cut. Of what only decorates, edges may. */
const textElements = 'main :is(h1, h2, h3, p, dt, dd, li, label, button, a, td, th, legend)'

for (const [situation, options] of Object.entries(situations)) {
  test(`a purchase with the keyboard alone, ${situation}`, async () => {
    const page = await shop.visit(options)
    await page.goto(checkoutPath(await addMug(shop)))
    await waitForCardForm(page)
    assert.deepEqual(await findOverflow(page, textElements), [])
    if (hasForcedColors(options))
      for (const element of [payButton(page), page.getByLabel('City'), page.getByLabel('Country')])
        assert.ok((await readBorder(element)) >= 1, 'buttons and fields have a border')
    const entries: [Locator, string][] = [
      [page.getByLabel('Email').first(), buyer.email],
      [page.getByLabel('Country').first(), buyer.country],
      [page.getByLabel('First name'), buyer.firstName],
      [page.getByLabel('Last name'), buyer.lastName],
      [page.getByLabel('Address').first(), buyer.address],
      [page.getByLabel('City'), buyer.city],
      [page.getByLabel('ZIP code'), buyer.postcode],
      [page.getByLabel('Card number'), goodCard],
      [page.getByLabel('Expiry date'), '12/39'],
      [page.getByLabel('Security code'), '123'],
    ]
    for (const [field, text] of entries) {
      await tabTo(page, field)
      await page.keyboard.type(text)
    }
    await tabTo(page, payButton(page))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/thank-you/*')
    await page.getByText('Your order has been confirmed').waitFor()
    assert.deepEqual(await findOverflow(page, textElements), [])
    await tabTo(page, page.getByRole('button', { name: 'Copy order number' }))
  })

  test(`an order is shipped with the keyboard alone, ${situation}`, async () => {
    const [id = ''] = await replaceOrders(shop, {})
    const page = await shop.visitAsAdmin(options)
    await page.goto('/fulfillment')
    const status = page.getByRole('combobox', { name: `Status of order ${shortId(id)}` })
    await status.waitFor()
    assert.deepEqual(await findOverflow(page, textElements), [])
    const chosen = page.getByRole('link', { name: 'All Orders' })
    if (hasForcedColors(options)) await assertShows(() => readLine(chosen), 'underline')
    await tabTo(page, status)
    // One letter: a list takes those that come later than a second for a new word.
    await page.keyboard.type('S')
    await assertShows(() => readStatuses(shop, [id]), ['shipped'])
  })
}

const readBorder = (element: Locator) =>
  element.evaluate((node) => Number.parseFloat(getComputedStyle(node).borderTopWidth))
const readLine = (element: Locator) =>
  element.evaluate((node) => getComputedStyle(node).textDecorationLine)

test('with reduced motion nothing moves across the screen, from the form to the shipped order', async () => {
  const page = await shop.visitAsAdmin({
    ...desktop,
    reducedMotion: 'reduce',
    isAnimated: true,
  })
  const readMotion = await watchMotion(page)
  await page.goto(checkoutPath(await addMug(shop)))
  await pay(page)
  await page.getByText('Your order has been confirmed').waitFor()
  const [id = ''] = await replaceOrders(shop, {})
  await page.goto('/fulfillment')
  await page
    .getByRole('combobox', { name: `Status of order ${shortId(id)}` })
    .selectOption('Shipped')
  await page.getByRole('button', { name: 'Add tracking' }).click()
  await page.getByRole('dialog').waitFor()
  assert.deepEqual(await readMotion(), [])
})

test('a screen reader finds all of the checkout page by name, and hears what is missing, the declined card, the order', async () => {
  const page = await shop.visit(desktop)
  const readAnnouncements = await listenToAnnouncements(page)
  await page.goto(checkoutPath(await addMug(shop)))
  await waitForCardForm(page)
  await assertShows(
    () => readNames(page.getByRole('main')),
    [
      'region Contact',
      'heading Contact',
      'textbox Email',
      'checkbox Email me with news and offers',
      'region Delivery',
      'heading Delivery',
      'combobox Country',
      'textbox First name',
      'textbox Last name',
      'textbox Address',
      'textbox Apartment (optional)',
      'textbox City',
      'textbox State (optional)',
      'textbox ZIP code',
      'textbox Phone (optional)',
      'checkbox Save this information for next time',
      'region Payment',
      'heading Payment',
      'heading Credit Card',
      'button Copy 4200 0000 0000 0091',
      'button Copy 4200 0000 0000 0042',
      'textbox Card number',
      'textbox Expiry date',
      'textbox Security code',
      'textbox Name on card (optional)',
      'region Billing address',
      'heading Billing address',
      'radio Same as shipping address',
      'radio Use a different billing address',
      'button Pay now',
    ],
  )
  await payButton(page).click()
  await waitToHear('Please complete all required fields')
  await pay(page, unknownCard)
  await waitToHear('Payment failed')
  await fillCard(page)
  await payButton(page).click()
  await page.getByText('Your order has been confirmed').waitFor()
  const known = [
    'Loading...',
    'Please complete all required fields',
    'Processing...',
    'Your card was declined.',
    'Payment failed',
    'Pay now',
    'Confirming your payment…',
    'calculating…',
    'Standard Shipping',
    'Payment successful',
    'Being prepared',
  ]
  const heard = await readAnnouncements()
  assert.deepEqual(
    heard.filter((text) => !known.some((beginning) => text.startsWith(beginning))),
    [],
  )
  assert.match(
    heard.join('\n'),
    /Please complete all required fields.*Processing.*Payment failed.*Processing.*Payment successful/s,
  )

  async function waitToHear(beginning: string): Promise<void> {
    await assertShows(
      async () => (await readAnnouncements()).some((text) => text.startsWith(beginning)),
      true,
    )
  }
})

test('a screen reader finds the orders by name, and hears that one is shipped', async () => {
  const [id = ''] = await replaceOrders(shop, {})
  const page = await shop.visitAsAdmin(desktop)
  const readAnnouncements = await listenToAnnouncements(page)
  await page.goto('/fulfillment')
  const status = page.getByRole('combobox', { name: `Status of order ${shortId(id)}` })
  await status.waitFor()
  await assertShows(
    () => readNames(page.getByRole('table')),
    [
      'table Orders to fulfill',
      'checkbox Select all 1 orders',
      `checkbox Select order ${shortId(id)}`,
      `link ${shortId(id)}`,
      'button Copy order ID',
      `combobox Status of order ${shortId(id)}`,
    ],
  )
  await status.selectOption('Shipped')
  await assertShows(async () => (await readAnnouncements()).join(' '), /moved to Shipped/)
})
