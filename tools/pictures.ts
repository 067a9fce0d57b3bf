import { mkdirSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import sharp from 'sharp'
import { apiRoutes, checkoutPath, pages } from '#contract/paths.ts'
import { fillCard, fillDelivery, payButton } from '#e2e/testing/checkout-page.ts'
import { openBenchShop, type BenchShop } from '#tools/bench/shop.ts'
import { ensureBrowser } from '#tools/browser.ts'
import { readPicture } from '#tools/seed/products.ts'

/*
 * The picture of the README, taken of the demo shop, and those of docs/guide.md, taken of a new shop on the way that the
 * guide leads. With names after it, such as `npm run pictures -- guide/login orders`, only these.
 */
const folder = 'docs'
const chosen = process.argv.slice(2)
const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name)

const readmePictures = ['orders', 'orders-dark']
/** What the settings are shown for, by their place in the address. */
const settings = ['shop', 'account', 'sumup', 'address', 'mail']

mkdirSync(`${folder}/guide`, { recursive: true })
const browser = await chromium.launch({
  executablePath: await ensureBrowser(),
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  if (readmePictures.some(isChosen))
    await visit(await openBenchShop(1_200, { events: 20_000 }), showDemo)
  if (chosen.length === 0 || chosen.some((name) => name.startsWith('guide/')))
    await visit(await openBenchShop(0), showFirstHour)
} finally {
  await browser.close()
}

async function visit(
  shop: BenchShop,
  take: (page: Page, shop: BenchShop) => Promise<void>,
): Promise<void> {
  try {
    await take(await openPage(browser, shop, 960), shop)
  } finally {
    await shop.close()
  }
}

function openPage(of: Pick<Browser, 'newPage'>, { port }: BenchShop, height: number) {
  return of.newPage({
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height },
    timezoneId: 'Europe/Berlin',
  })
}

async function showDemo(page: Page, shop: BenchShop): Promise<void> {
  await signIn(page, shop)
  await page.goto(pages.orders)
  await page.locator('tbody tr[aria-rowindex]').first().waitFor()
  await takePicture(page, 'orders')
  await page.emulateMedia({ colorScheme: 'dark' })
  await takePicture(page, 'orders-dark')
}

/** As docs/guide.md tells it. */
async function showFirstHour(_wide: Page, shop: BenchShop): Promise<void> {
  const page = await openPage(browser, shop, 800)
  await page.goto(pages.login)
  await page.getByLabel('Username').waitFor()
  await takePicture(page, 'guide/login')

  await signIn(page, shop)
  await page.goto(pages.products)
  await page.getByText('No products yet').waitFor()
  await takePicture(page, 'guide/set-up', 'Set up your shop')
  for (const place of settings) {
    if (!isChosen(`guide/settings-${place}`)) continue
    await page.goto(`${pages.products}?settings=${place}`)
    await page.getByRole('dialog').waitFor()
    await takePicture(page, `guide/settings-${place}`)
  }

  await addProduct(page)
  await page.goto(pages.products)
  await page.getByRole('button', { name: 'Get HTML Buy Button' }).first().click()
  await page.getByRole('dialog').getByText('BUY NOW').first().waitFor()
  await takePicture(page, 'guide/buy-button')

  const [product] = JSON.parse(await shop.read(apiRoutes.products)) as { id: string }[]
  const recording = openRecording(page)
  await page.goto(checkoutPath(product?.id ?? ''))
  await page.getByLabel('Email').first().waitFor()
  await recording.add(2_000)
  await fillDelivery(page)
  await recording.add(2_000)
  await fillCard(page)
  await page.getByText('Test cards').scrollIntoViewIfNeeded()
  await page.getByText('calculating').waitFor({ state: 'hidden' })
  await recording.add(2_000)
  await takePicture(page, 'guide/checkout')
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
  await page.getByText('Thank you!').waitFor()
  await recording.add(2_500)
  await takePicture(page, 'guide/thank-you')

  await page.goto(pages.orders)
  await page.locator('tbody tr[aria-rowindex]').first().waitFor()
  await recording.add(2_000)
  await page.locator('tbody tr[aria-rowindex]').first().click()
  await page.getByRole('dialog').waitFor()
  await recording.add(3_000)
  await takePicture(page, 'guide/order')
  await recording.save('guide/sale')
}

/** A sale as a moving picture: one frame for each step. */
function openRecording(page: Page) {
  const frames: { picture: Buffer; ms: number }[] = []
  return {
    async add(ms: number): Promise<void> {
      await waitUntilDrawn(page)
      frames.push({ picture: await page.screenshot({ animations: 'disabled' }), ms })
    },
    async save(name: string): Promise<void> {
      if (!isChosen(name)) return
      const path = `${folder}/${name}.webp`
      const small = await Promise.all(
        frames.map(({ picture }) => sharp(picture).resize({ width: 960 }).toBuffer()),
      )
      await sharp(small, { join: { animated: true } })
        .webp({ quality: 70, loop: 0, delay: frames.map(({ ms }) => ms) })
        .toFile(path)
      console.log(path)
    },
  }
}

async function addProduct(page: Page): Promise<void> {
  await page.goto(pages.products)
  await page.getByRole('button', { name: 'Add Product' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Product Name').fill('Harbour Mug')
  await dialog.getByLabel('Price').first().fill('24')
  await dialog.getByLabel('Description').fill('Stoneware, 350 ml, made by hand.')
  const pictures = {
    'Product Image': await readPicture('mug'),
    'Checkout Page Header Logo': await readPicture('logo'),
  }
  for (const [label, buffer] of Object.entries(pictures)) {
    const uploaded = page.waitForResponse(/\/api\/objects\/incoming\//)
    await dialog.getByLabel(label).setInputFiles({ name: 'a.webp', mimeType: 'image/webp', buffer })
    await uploaded
  }
  await dialog.getByLabel('Product Name').click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await takePicture(page, 'guide/product')
  await dialog.getByRole('button', { name: 'Create Product' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

async function signIn(page: Page, { cookie, address }: BenchShop): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: address }])
}

/** Not until the network is silent: in the back-office it never is. */
async function waitUntilDrawn(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.waitForFunction(() =>
    [...document.images].every((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return image.complete || bottom < 0 || top > innerHeight
    }),
  )
}

/** Once the text is there, if one is given. */
async function takePicture(page: Page, name: string, text?: string): Promise<void> {
  if (!isChosen(name)) return
  if (text) await page.getByText(text).first().waitFor()
  await waitUntilDrawn(page)
  // Toasts pass.
  await page.locator('li[data-swipe-direction]').first().waitFor({ state: 'hidden' })
  const path = `${folder}/${name}.png`
  await page.screenshot({ path, animations: 'disabled' })
  console.log(path)
}
