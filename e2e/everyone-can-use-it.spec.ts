import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowserShop } from '#e2e/browser-shop.ts'

const shop = await openBrowserShop()
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

type Finding = { id: string; help: string; nodes: { html: string }[] }
type Checker = { axe: { run: (root: Document) => Promise<{ violations: Finding[] }> } }

async function findFaults(page: Page): Promise<string[]> {
  // Half-faded text has no contrast yet.
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
  )
  await page.addScriptTag({ content: axe })
  const findings = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as Checker).axe.run(document)
    return violations
  })
  return findings.map(({ id, help, nodes }) => `${id}: ${help} ${nodes[0]?.html}`)
}

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
        await page.getByRole('heading', { level: 1 }).waitFor()
        assert.deepEqual(await findFaults(page), [], path)
      }
    })
  }
}
