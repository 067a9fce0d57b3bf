import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkoutPath } from '#contract/paths.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { fillCard, fillDelivery, openCheckoutPage, payButton } from '#e2e/testing/checkout-page.ts'

const shop = await openBrowserShop()

test('nothing moves when a field is left, at any width', async () => {
  const page = await openCheckoutPage(shop)
  await page.getByLabel('Use a different billing address').check()
  for (const width of [1280, 768, 320]) {
    await page.setViewportSize({ width, height: 800 })
    for (const country of ['United Kingdom', 'Canada']) {
      for (const select of await page.getByLabel('Country').all())
        await select.selectOption(country)
      const moves = await findMoves(page, ['x', 'anna@gmial.com', ''])
      assert.deepEqual(moves, [], `${country}, ${width} px`)
    }
  }
})

/** Types each text into each field, leaves it, and says where that moved Pay now. In one call: there are hundreds. */
function findMoves(page: Page, texts: string[]): Promise<string[]> {
  return payButton(page).evaluate(async (button, typed) => {
    const topOf = () => Math.round(button.getBoundingClientRect().top + scrollY)
    const before = topOf()
    const fields = 'input[form=checkout-form]:not([type=checkbox])'
    const moves: string[] = []
    for (const text of typed) {
      for (const field of document.querySelectorAll<HTMLInputElement>(fields)) {
        field.focus()
        field.select()
        document.execCommand(text ? 'insertText' : 'delete', false, text)
        field.blur()
        await new Promise((resolve) => setTimeout(resolve))
        if (topOf() !== before) moves.push(`${text} in ${field.id}`)
      }
    }
    return moves
  }, texts)
}

test('Pay now takes the first click after a postcode of unusual shape', async () => {
  // So high that the browser has nothing to scroll, which could hide a movement.
  const page = await shop.visit({ viewport: { width: 1280, height: 2400 } })
  await page.goto(checkoutPath(await addMug(shop)))
  await fillDelivery(page)
  // What was typed stays; that the postcode was left before does not.
  await page.reload()
  await fillCard(page)
  await page.getByLabel('ZIP code', { exact: true }).fill('')
  await page.keyboard.type('1')
  const box = await payButton(page).boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + box.width / 2, box.y + 4)
  await page.mouse.down()
  await page.getByText('Usually like 10115').waitFor()
  await page.mouse.up()
  await page.waitForURL('**/thank-you/*')
})
