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
import { credentials, shopSettings } from '#server/db/admin-schema.ts'
import { settingsRowId } from '#server/shop-settings/shop-settings.ts'
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

test('the set-up is looked at again whenever the owner comes back, until it is finished', async () => {
  const page = await shop.visitAsAdmin()
  let asked = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === apiRoutes.setup) asked += 1
  })
  const open = async () => {
    const answered = page.waitForResponse(`**${apiRoutes.setup}`)
    await page.goto('/products')
    await answered
    asked = 0
  }
  const comeBack = () =>
    page.evaluate(async (path) => {
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      await fetch(path)
    }, apiRoutes.healthLive)
  await open()
  await page.getByRole('region', { name: 'Set up your shop' }).waitFor()
  await Promise.all([page.waitForResponse(`**${apiRoutes.setup}`), comeBack()])
  assert.equal(asked, 1)
  const finished = { id: settingsRowId, version: 0, values: {}, setUpAt: new Date() }
  await shop.db.insert(shopSettings).values(finished)
  await open()
  await page.getByRole('link', { name: 'Orders' }).waitFor()
  await comeBack()
  assert.equal(asked, 0)
})
