import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { findAccessibilityIssues } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

for (const width of [1280, 375]) {
  test(`every screen is free of accessibility faults, ${width} px`, async () => {
    const page = await shop.visitAsAdmin({ viewport: { width, height: 800 }, bypassCSP: true })
    for (const path of [
      '/login',
      '/products',
      '/orders',
      '/fulfillment',
      '/analytics',
      '/nowhere',
    ]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Loading...' }).waitFor()
      assert.deepEqual(await findAccessibilityIssues(page), [], path)
    }
  })
}
