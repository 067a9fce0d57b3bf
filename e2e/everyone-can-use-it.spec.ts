import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowserShop } from '#e2e/browser-shop.ts'
import { findFaults } from '#e2e/find-faults.ts'

const shop = await openBrowserShop()

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 375]) {
    test(`every screen is free of accessibility faults, ${colorScheme}, ${width} px`, async () => {
      const look = { colorScheme, viewport: { width, height: 800 }, bypassCSP: true }
      const page = await shop.visitAsAdmin(look)
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
        assert.deepEqual(await findFaults(page), [], path)
      }
    })
  }
}
