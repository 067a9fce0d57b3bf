import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

test('the login and a shop without orders are free of accessibility faults, on a desktop and a phone', async () => {
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  for (const path of ['/login', '/orders', '/fulfillment']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Loading...' }).waitFor()
    assert.deepEqual(await findIssuesAtBothWidths(page), [], path)
  }
})
