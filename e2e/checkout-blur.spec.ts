import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { checkoutPath } from '#contract/paths.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { cardNumber, fillCard, fillDelivery, payButton } from '#e2e/testing/checkout-page.ts'

const shop = await openBrowserShop()

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true }).first()

for (const width of [1280, 768, 375, 320]) {
  test(`nothing moves when a field is left, ${width} px wide`, async () => {
    const page = await shop.visit({ viewport: { width, height: 800 } })
    await page.goto(checkoutPath(await addMug(shop)))
    await cardNumber(page).waitFor()
    await page.getByLabel('Use a different billing address').check()
    for (const country of ['United Kingdom', 'Canada']) {
      for (const select of await page.getByLabel('Country').all())
        await select.selectOption(country)
      const fields = await page.locator('input[form=checkout-form]:not([type=checkbox])').all()
      const before = await topOf(payButton(page))
      for (const text of ['x', 'anna@gmial.com', '']) {
        for (const one of fields) {
          await one.fill(text)
          await one.blur()
          const where = `${text} in ${await one.getAttribute('id')}, ${country}`
          assert.equal(await topOf(payButton(page)), before, where)
        }
      }
    }
  })
}

async function topOf(element: Locator): Promise<number | undefined> {
  return element.evaluate((button) => Math.round(button.getBoundingClientRect().top + scrollY))
}

test('Pay now takes the first click after a postcode of unusual shape', async () => {
  // So high that the browser has nothing to scroll, which could hide a movement.
  const page = await shop.visit({ viewport: { width: 1280, height: 2400 } })
  await page.goto(checkoutPath(await addMug(shop)))
  await fillDelivery(page)
  // What was typed stays; that the postcode was left before does not.
  await page.reload()
  await fillCard(page)
  await field(page, 'ZIP code').fill('')
  await page.keyboard.type('1')
  const box = await payButton(page).boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + box.width / 2, box.y + 4)
  await page.mouse.down()
  await page.getByText('Usually like 10115').waitFor()
  await page.mouse.up()
  await page.waitForURL('**/thank-you/*')
})

test('fields are found by their exact labels, without the marks of required ones', async () => {
  const page = await shop.visit()
  await page.goto(checkoutPath(await addMug(shop)))
  for (const label of [
    'Email',
    'Country',
    'First name',
    'Last name',
    'Address',
    'City',
    'ZIP code',
  ])
    assert.equal(await page.getByLabel(label, { exact: true }).count(), 1, label)
  await field(page, 'Country').selectOption('United Kingdom')
  assert.equal(await page.getByLabel('Postcode', { exact: true }).count(), 1)
  await page.getByRole('textbox', { name: 'Postcode', exact: true }).waitFor()
})
