import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

type Finding = { id: string; help: string; nodes: { html: string }[] }
type Checker = { axe: { run: (root: Document) => Promise<{ violations: Finding[] }> } }

/** What axe has against a page, in words. The visit needs `bypassCSP`, for axe is a script of nobody's. */
export async function findFaults(page: Page): Promise<string[]> {
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
