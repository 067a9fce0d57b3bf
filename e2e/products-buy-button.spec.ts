import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { apiRoutes } from '#contract/paths.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows, pressEscapeIn } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const name = 'Chair {{ shop.name }} <b>"bold"</b>'

const page = await shop.visitAsAdmin({ permissions: ['clipboard-read', 'clipboard-write'] })

async function openDialog() {
  const data = { name, price: '49', headerLogoUrl: `${shop.address}/favicon.svg` }
  const { id } = await (await page.request.post(apiRoutes.products, { data })).json()
  await page.goto('/products')
  await page.getByRole('button', { name: 'Get HTML Buy Button' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'HTML Buy Button' })
  await dialog.waitFor()
  return { dialog, link: `${shop.address}/checkout/${id}` }
}

test('the dialog shows the button and how to add it to a site, and says that it works on this computer only', async () => {
  const { dialog, link } = await openDialog()
  const preview = dialog.getByRole('link', { name: 'BUY NOW' })
  await assertShows(() => preview.getAttribute('href'), link)
  await assertShows(
    () => preview.evaluate((element) => getComputedStyle(element).backgroundColor),
    'rgb(0, 0, 0)',
  )
  const steps = (await dialog.getByRole('listitem').allTextContents()).join(' ')
  for (const words of ['theme editor', 'Custom Liquid', 'Paste', 'Save and publish'])
    assert.ok(steps.includes(words), words)
  await dialog.getByText('The button and the QR code work on this computer only').waitFor()
  assert.doesNotMatch(await dialog.innerText(), /[A-Z]_[A-Z]/)
  await dialog.getByRole('link', { name: 'Set the public address' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByLabel('Public address').waitFor()
  await pressEscapeIn(settings)
  await settings.waitFor({ state: 'detached' })
})

test('the copied code, pasted into a page elsewhere, leads to the checkout', async () => {
  const { dialog, link } = await openDialog()
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied!', { exact: true }).first().waitFor()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  await assertShows(() => dialog.locator('pre code').textContent(), code)
  assert.doesNotMatch(code, /<script|\{\{|\{%|Chair/)

  const elsewhere = await shop.visit({ javaScriptEnabled: false })
  await elsewhere.route('https://store.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><h1>My store</h1>${code}` }),
  )
  await elsewhere.goto('https://store.example/')
  const button = elsewhere.getByRole('link', { name: 'BUY NOW' })
  const box = await button.boundingBox()
  const width = elsewhere.viewportSize()?.width ?? 0
  assert.ok(box && Math.abs(box.x + box.width / 2 - width / 2) <= 1, 'the button is centred')
  assert.ok(box.height >= 44, 'the button is easy to hit')
  await button.click()
  await elsewhere.waitForURL(link)
})

test('the QR code downloads as SVG and as a sharp PNG', async () => {
  const { dialog, link } = await openDialog()
  await dialog.getByRole('img', { name: 'QR code of the checkout link' }).waitFor()
  for (const format of ['SVG', 'PNG']) {
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: `Download ${format}` }).click()
    const file = await download
    assert.equal(
      file.suggestedFilename(),
      `checkout-${link.split('/').at(-1)?.slice(0, 8)}.${format.toLowerCase()}`,
    )
    const content = Buffer.concat(await Array.fromAsync(await file.createReadStream()))
    if (format === 'SVG') assert.match(content.toString(), /^<svg .*<\/svg>$/)
    else assert.ok(((await sharp(content).metadata()).width ?? 0) >= 1024)
  }
})
