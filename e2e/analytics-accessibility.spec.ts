import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceHistory, addProducts, longNames } from '#e2e/testing/analytics-page.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  assertShows,
  findIssuesAtBothWidths,
  findOverflow,
  watchLayoutShifts,
} from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const page = await shop.visitAsAdmin({
  bypassCSP: true,
  permissions: ['clipboard-read', 'clipboard-write'],
})

test('a shop without products is offered to add the first one', async () => {
  await page.goto('/analytics')
  await page.getByText('Add a product to begin').waitFor()
  await assertShows(() => page.getByText('€0.00', { exact: true }).count(), 2)
  await page.getByText('0 views, 0 completed').waitFor()
  for (const title of ['Top Products by Revenue', 'Device Breakdown', 'Top Countries'])
    await page.getByRole('heading', { name: title }).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.getByRole('link', { name: 'Add a product' }).click()
  await page.waitForURL('**/products')
})

test('a shop that nobody has visited is given a link to share', async () => {
  const ids = await addProducts(shop, ['Stoneware Mug'])
  await page.goto('/analytics')
  await page.getByText('Share the checkout link of Stoneware Mug').waitFor()
  await page.getByRole('button', { name: 'Copy checkout link' }).click()
  await page.getByText('Copied!', { exact: true }).first().waitFor()
  assert.equal(
    await page.evaluate(() => navigator.clipboard.readText()),
    `${shop.address}/checkout/${ids.get('Stoneware Mug')}`,
  )
})

test('the page is free of accessibility faults, on a desktop and a phone', async () => {
  await replaceHistory(shop)
  await page.goto('/analytics?range=30d')
  await page.getByRole('slider').focus()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'chart')
  await page.getByRole('button', { name: 'Custom' }).click()
  await page.getByLabel('First day').fill('')
  await page.keyboard.press('Enter')
  await page.getByText('Choose a first and a last day.').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'own days')
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByRole('button', { name: 'About Orders' }).click()
  await page.getByRole('dialog', { name: 'About Orders' }).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'table and definition')
})

test('nothing is wider than the screen, down to 320 px, however long names are', async () => {
  for (const [history, range] of [
    [undefined, ''],
    [undefined, '?range=90d'],
    [longNames, ''],
  ] as const) {
    await replaceHistory(shop, history)
    await page.goto(`/analytics${range}`)
    await page.getByRole('slider').waitFor()
    for (const width of [1280, 768, 375, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const overflow = await findOverflow(page)
      assert.deepEqual(overflow, [], `${history ? 'long names' : range} at ${width} px`)
      const countCut = () =>
        page.getByText(/visits?$/).evaluateAll((notes) => {
          const widest = document.documentElement.clientWidth
          return notes.filter((note) => note.getBoundingClientRect().right > widest).length
        })
      await assertShows(countCut, 0, `figures are out of sight at ${width} px`)
    }
  }
})

for (const { width, most } of [
  { width: 1280, most: 0.001 },
  // Words are broken into lines elsewhere; the boxes they stand in stay.
  { width: 375, most: 0.003 },
]) {
  test(`nothing moves when figures come or change, ${width} px`, async () => {
    await replaceHistory(shop)
    const viewport = { width, height: 800 }
    const page = await shop.visitAsAdmin({ viewport })
    const moved = await watchLayoutShifts(page)
    await page.goto('/analytics?range=30d')
    await page.getByText('€418.00', { exact: true }).waitFor()
    const shifts = { loaded: await moved() }
    for (const [search, revenue] of [
      ['?range=7d', '€218.00'],
      ['?range=90d', '€467.00'],
      ['?from=2020-01-01&to=2020-01-31', '€0.00'],
      ['?range=today', '€98.00'],
      ['/analytics', '€483.00'],
    ] as const) {
      // By script: what moves after a click would be forgiven.
      await page.evaluate((to) => history.pushState({}, '', to), search)
      await page
        .locator('[aria-busy=false] dl')
        .getByText(revenue, { exact: true })
        .first()
        .waitFor()
      Object.assign(shifts, { [search]: await moved() })
    }
    assert.ok(
      Object.values(shifts).every((shift) => shift < most),
      JSON.stringify(shifts),
    )
  })
}
