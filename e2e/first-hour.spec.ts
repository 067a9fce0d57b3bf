import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  assertShows,
  findIssuesAtBothWidths,
  pressEscapeIn,
  watchLayoutShifts,
} from '#e2e/testing/page-checks.ts'
import { apiRoutes } from '#contract/paths.ts'
import { credentials } from '#server/db/admin-schema.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

const shop = await openBrowserShop()

test('a new owner is led through the set-up, and each step ticks itself', async () => {
  // Of its own: the password is changed there.
  const ownShop = await openBrowserShop()
  await ownShop.db.update(credentials).set({ isGenerated: true })
  const page = await ownShop.visitAsAdmin({ bypassCSP: true })
  const readShifts = await watchLayoutShifts(page)
  await page.goto('/products')
  const card = page.getByRole('region', { name: 'Set up your shop' })
  await card.getByText('0 of 7 done').waitFor()
  assert.ok((await readShifts()) < 0.01, 'the card comes with the page')
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })

  await card.getByRole('link', { name: 'Name shop' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByLabel('Shop name').fill('The Mug Shop')
  await settings.getByLabel('Contact email').fill('hello@mugs.example')
  await settings.getByLabel('Your password').fill(testAdmin.password)
  await settings.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved', { exact: true }).waitFor()
  await settings.getByRole('button', { name: 'Close' }).first().click()
  await card.getByText('1 of 7 done').waitFor()
  await card.getByText('Name your shop: done').waitFor()

  await card.getByRole('link', { name: 'Change password' }).click()
  const account = page.getByRole('dialog', { name: 'Account' })
  await account.getByLabel('Current password').fill(testAdmin.password)
  await account.getByLabel('New password').fill('harbour-mug-elm-window')
  await account.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed', { exact: true }).waitFor()
  await account.getByRole('button', { name: 'Close' }).first().click()
  await card.getByText('2 of 7 done').waitFor()

  await card.getByRole('button', { name: 'Add: Add a product' }).click()
  await pressEscapeIn(page.getByRole('dialog', { name: 'Add New Product' }))

  const mug = await addMug(ownShop)
  await page.reload()
  await card.getByText('3 of 7 done').waitFor()
  const link = card.getByRole('link', { name: 'Buy: Place a test order' })
  await assertShows(() => link.getAttribute('href'), new RegExp(`/checkout/${mug}$`))
  const buyer = createBuyer(ownShop)
  const checkoutId = await buyer.arrive(mug)
  await payByCard(ownShop.sandbox, checkoutId)
  await buyer.order(checkoutId)
  await page.reload()
  await card.getByText('4 of 7 done').waitFor()
  await card.getByText('Test mode: no money is taken').waitFor()
})

test('the set-up card is hidden for one person, in every browser of theirs', async () => {
  const page = await shop.visitAsAdmin()
  await page.goto('/products')
  const card = page.getByRole('region', { name: 'Set up your shop' })
  // The page shows it at once, before the server knows.
  const known = page.waitForResponse(`**${apiRoutes.setupFolding}`)
  await card.getByRole('button', { name: 'Hide the set-up' }).click()
  await card.getByRole('button', { name: 'Show the set-up' }).waitFor()
  await assertShows(() => card.getByRole('listitem').count(), 0)
  await known
  const elsewhere = await shop.visitAsAdmin()
  await elsewhere.goto('/products')
  const there = elsewhere.getByRole('region', { name: 'Set up your shop' })
  await there.getByRole('button', { name: 'Show the set-up' }).click()
  await assertShows(() => there.getByRole('listitem').count(), 7)
})

test('the set-up is looked at again whenever its page is opened, and coming back to a page asks for nothing', async () => {
  const page = await shop.visitAsAdmin()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const path of ['/products', '/orders', '/fulfillment', '/analytics', '/products']) {
    const answered = path === '/products' ? page.waitForResponse(`**${apiRoutes.setup}`) : undefined
    await page.goto(path)
    await answered
    await page.waitForLoadState('networkidle')
    asked.length = 0
    await page.evaluate(async (health) => {
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      dispatchEvent(new Event('focus'))
      await fetch(health)
    }, apiRoutes.healthLive)
    assert.deepEqual(asked, [apiRoutes.healthLive], path)
  }
})
