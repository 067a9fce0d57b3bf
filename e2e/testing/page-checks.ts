import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { patienceMs } from '#server/testing/wait-for.ts'

const axeScript = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

const pollMs = 20

/**
 * Reads a page until it shows what is expected, and fails with what it shows in the end: a page follows an event a moment
 * later. What must not come is looked at once instead, after something that proves that its moment has passed.
 */
export async function assertShows<Value>(
  read: () => Promise<Value>,
  expected: Value | RegExp,
  message?: string,
): Promise<void> {
  for (const giveUpAt = Date.now() + patienceMs; ; await pause(pollMs)) {
    const seen = await read()
    const isPattern = expected instanceof RegExp
    const isShown = isPattern ? expected.test(String(seen)) : isDeepStrictEqual(seen, expected)
    if (isShown) return
    if (Date.now() < giveUpAt) continue
    if (isPattern) assert.match(String(seen), expected, message)
    else assert.deepEqual(seen, expected, message)
  }
}

/** Escape reaches a dialog once it has the focus, a moment after it is shown. */
export async function pressEscapeIn(dialog: Locator): Promise<void> {
  await assertShows(() => dialog.evaluate((one) => one.contains(document.activeElement)), true)
  await dialog.page().keyboard.press('Escape')
}

/** From here on the page's time moves only when told. So far ahead that no machine is too slow to get there in time. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(600_000)
}

type Violation = { id: string; help: string; nodes: { html: string }[] }
type Axe = {
  run: (context: object, options?: object) => Promise<{ violations: Violation[] }>
}

/**
 * What axe finds on a page: everything in light colors, contrast in dark ones too. The visit needs `bypassCSP`,
 * since axe is not a script of the page.
 */
export async function findAccessibilityIssues(page: Page): Promise<string[]> {
  await loadAxe(page)
  const light = await runAxe(page, {})
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await runAxe(page, { runOnly: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: null })
  return [...light, ...dark.map((issue) => `dark: ${issue}`)]
}

/**
 * All that axe finds in light colors at the width of a desktop, and in dark ones at that of a phone, where nothing may
 * scroll sideways. Colors do not depend on the width, so each scheme is checked once.
 */
export async function findIssuesAtBothWidths(page: Page, inside?: string): Promise<string[]> {
  await loadAxe(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  const wide = await runAxe(page, {})
  await page.setViewportSize({ width: 375, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await waitForLayout(page)
  const narrow = [...(await runAxe(page, {})), ...(await findOverflow(page, inside))]
  await page.emulateMedia({ colorScheme: null })
  return [...wide, ...narrow.map((issue) => `375 px, dark: ${issue}`)]
}

async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis)))
    await page.addScriptTag({ content: axeScript })
}

async function runAxe(page: Page, options: object): Promise<string[]> {
  const violations = await page.evaluate(async (axeOptions) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    // What is dimmed behind a dialog is there for nobody.
    const context = { include: [['html']], exclude: [['#root[aria-hidden=true]']] }
    // Details of what is right would take a third of the time, and style sheets a tenth, for a rule about turned phones.
    const violationsAlone = { ...axeOptions, resultTypes: ['violations'], preload: false }
    return (await axe.run(context, violationsAlone)).violations
  }, options)
  return violations.map(({ id, help, nodes }) => `${id}: ${help} ${nodes[0]?.html}`)
}

/** Sums up the layout shifts of all pages opened from now on. Returns a function that reads the sum and resets it. */
export async function watchLayoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counter = globalThis as unknown as { shifts: number }
    counter.shifts = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        counter.shifts += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    await waitForLayout(page)
    return page.evaluate(() => {
      const counter = globalThis as unknown as { shifts: number }
      const { shifts } = counter
      counter.shifts = 0
      return shifts
    })
  }
}

/**
 * Elements that could be scrolled sideways: the page itself, and those of the selector. What is too wide for a moment, until
 * its font or its size has come, is not meant.
 */
export async function findOverflow(page: Page, selector = '[role=dialog] *'): Promise<string[]> {
  await waitForLayout(page)
  for (const giveUpAt = Date.now() + patienceMs; ; await pause(pollMs)) {
    const found = await findWideNow(page, selector)
    if (found.length === 0 || Date.now() > giveUpAt) return found
  }
}

function findWideNow(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((inside) => {
    const boxes = [document.documentElement, ...document.querySelectorAll(inside)]
    const wide = boxes.filter((box) => {
      const { overflowX, display } = getComputedStyle(box)
      const isWide = box.scrollWidth > box.clientWidth + 1
      return isWide && overflowX !== 'hidden' && overflowX !== 'clip' && display !== 'inline'
    })
    return wide.map((box) => box.outerHTML.slice(0, 160))
  }, selector)
}

/** Two frames: by then the page has reacted to a new size and drawn itself. */
async function waitForLayout(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
