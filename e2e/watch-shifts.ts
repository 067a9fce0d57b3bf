import type { Page } from 'playwright-core'

type Watched = { shifts: number }

/** Adds up what moves by itself in the pages this visitor opens from now on. Answers how much it was since last asked. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = globalThis as unknown as Watched
    seen.shifts = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.shifts += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(async () => {
      const seen = globalThis as unknown as Watched
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      const { shifts } = seen
      seen.shifts = 0
      return shifts
    })
}
