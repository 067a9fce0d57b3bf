import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  cardNumber,
  fillCard,
  fillDelivery,
  openCheckoutPage,
  payButton,
  toast,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { stopClock } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

type SilentWidget = typeof globalThis & {
  mounted?: { onLoad: () => void; onResponse: (type: string, body: object) => void }
  isSubmitted?: boolean
}

/** In place of SumUp's script: a widget that never calls back. */
const silentScript = `globalThis.SumUpCard = {
  mount: (options) => {
    globalThis.mounted = options
    return { submit: () => (globalThis.isSubmitted = true), unmount() {}, update() {} }
  },
}`

const waitForWidget = (page: Page) =>
  page.waitForFunction(() => (globalThis as SilentWidget).mounted !== undefined)

async function openSilentForm(): Promise<Page> {
  const page = await shop.visit()
  await page.route('**/sdk.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: silentScript }),
  )
  await stopClock(page)
  await page.goto(checkoutPath(await addMug(shop)))
  await waitForWidget(page)
  return page
}

test('a card form that never says that it has loaded counts as ready after two seconds', async () => {
  const page = await openSilentForm()
  await fillDelivery(page)
  await page.clock.runFor(1_900)
  await payButton(page).click()
  await toast(page, 'Payment not ready').waitFor()
  await page.clock.runFor(100)
  await payButton(page).click()
  await page.waitForFunction(() => (globalThis as SilentWidget).isSubmitted)
})

test('a card form that fails after it counted as ready is opened anew, and sends the next card', async () => {
  const page = await openSilentForm()
  await fillDelivery(page)
  await page.clock.runFor(2_000)
  await page.evaluate(() => {
    const widget = globalThis as SilentWidget
    widget.mounted?.onResponse('error', {})
    delete widget.mounted
  })
  await toast(page, 'Payment widget error').waitFor()
  await page.clock.runFor(2_000)
  await waitForWidget(page)
  await page.clock.runFor(2_000)
  assert.equal(await page.getByText('Payment failed').count(), 0)
  await payButton(page).click()
  await page.waitForFunction(() => (globalThis as SilentWidget).isSubmitted)
})

test('a card form that says late that it has loaded stays when it reports an error', async () => {
  const page = await openSilentForm()
  await page.clock.runFor(2_000)
  await page.clock.resume()
  await page.evaluate(() => {
    const { mounted } = globalThis as SilentWidget
    mounted?.onLoad()
    mounted?.onResponse('error', { message: 'Card expired' })
  })
  await toast(page, 'Payment failed').waitFor()
  assert.equal(await page.getByText('Payment widget error').count(), 0)
})

test('a checkout of which no more than its id is said is good for half an hour', async () => {
  const page = await shop.visit()
  let opened = 0
  await page.route(`**${apiRoutes.createCheckout}`, async (route) => {
    opened += 1
    const response = await route.fetch()
    const { checkoutId } = (await response.json()) as { checkoutId: string }
    await route.fulfill({ response, json: { checkoutId } })
  })
  await page.clock.install()
  await page.goto(checkoutPath(await addMug(shop)))
  await waitForCardForm(page)
  await page.clock.fastForward('25:00')
  await page.waitForLoadState('networkidle')
  assert.equal(opened, 1)
  const renewed = page.waitForResponse(`**${apiRoutes.createCheckout}`)
  await page.clock.fastForward('02:00')
  await renewed
  assert.equal(opened, 2)
})

test('Enter in a card field means Pay now, and the card form does not see it before the details are saved', async () => {
  const page = await openCheckoutPage(shop)
  await fillDelivery(page)
  await fillCard(page)
  const save = Promise.withResolvers<void>()
  let saved = 0
  await page.route('**/details', async (route) => {
    saved += 1
    await save.promise
    await route.continue()
  })
  const field = await cardNumber(page).elementHandle()
  const seen = await field?.evaluateHandle((input) => {
    const keys: string[] = []
    input.addEventListener('keydown', (event) => keys.push((event as KeyboardEvent).key))
    return keys
  })
  await field?.press('Enter')
  await page.getByText('Processing').waitFor()
  await field?.press('Enter')
  await field?.press('a')
  assert.deepEqual(await seen?.jsonValue(), ['a'])
  save.resolve()
  await page.waitForURL('**/thank-you/*')
  assert.equal(saved, 1)
})
