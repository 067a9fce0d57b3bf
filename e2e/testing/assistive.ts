import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More than any page has controls. */
const maxSteps = 80

/**
 * Goes on with Tab until the control has the focus. On the way every control must show that it has it, and nothing may
 * lie over it.
 */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let step = 0; step < maxSteps; step += 1) {
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(findFocusFault), '')
    if (await control.evaluate((element) => element === document.activeElement)) return
  }
  assert.fail(`Tab does not reach ${String(control)}`)
}

/** What is wrong with the element that has the focus: it does not show it, or it cannot be seen. Runs in the page. */
async function findFocusFault(): Promise<string> {
  const element = document.activeElement
  // Beyond the last control the browser's own have the focus.
  if (!element || element === document.body) return ''
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const hasRing = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
  const { left, top, width, height } = element.getBoundingClientRect()
  const seen = document.elementFromPoint(left + width / 2, top + height / 2)
  const isSeen = seen !== null && (element.contains(seen) || seen.contains(element))
  const faults = [hasRing ? '' : 'no focus ring', isSeen ? '' : 'covered or outside']
  const told = faults.filter(Boolean).join(', ')
  return told && `${told}: ${element.outerHTML.slice(0, 200)}`
}

/** What the page says by itself from now on, also on the pages after it: each text of a live region. */
export async function listenToAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const heard: string[] = JSON.parse(sessionStorage.getItem('heard') ?? '[]')
    const live = '[aria-live]:not([aria-live=off]), [role=status], [role=alert], output'
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        const text = element?.closest(live)?.textContent?.trim()
        if (text && heard.at(-1) !== text) heard.push(text)
      }
      sessionStorage.setItem('heard', JSON.stringify(heard))
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => JSON.parse(sessionStorage.getItem('heard') ?? '[]') as string[])
}

/** What moves on the pages from now on, but for what turns for as long as something goes on. */
export async function watchMotion(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const moved: string[] = JSON.parse(sessionStorage.getItem('moved') ?? '[]')
    document.addEventListener('animationstart', ({ target, animationName }) => {
      const { transform, animationIterationCount } = getComputedStyle(target as Element)
      const isStill = ['none', 'matrix(1, 0, 0, 1, 0, 0)'].includes(transform)
      if (!isStill && animationIterationCount !== 'infinite') moved.push(animationName)
      sessionStorage.setItem('moved', JSON.stringify(moved))
    })
  })
  return () => page.evaluate(() => JSON.parse(sessionStorage.getItem('moved') ?? '[]') as string[])
}

/** What a screen reader lists to jump to: headings, areas and controls, as "role name". */
export async function readNames(part: Locator): Promise<string[]> {
  const named =
    /^\s*- '?(heading|region|textbox|combobox|checkbox|radio|button|link|table) "([^"]+)"/
  const lines = (await part.ariaSnapshot()).split('\n')
  return lines.flatMap((line) => {
    const [, role, name] = named.exec(line) ?? []
    return role ? [`${role} ${name}`] : []
  })
}
