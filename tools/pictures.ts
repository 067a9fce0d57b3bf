import { mkdirSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import { apiRoutes, checkoutPath, pages } from '#contract/paths.ts'
import { openBenchShop } from '#tools/bench/shop.ts'
import { ensureBrowser } from '#tools/browser.ts'

const folder = 'docs'
const viewport = { width: 1280, height: 960 }

/* The screenshots of the README, taken of the demo shop. */
const shop = await openBenchShop(1_200, { events: 20_000 })
const browser = await chromium.launch({
  executablePath: await ensureBrowser(),
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  mkdirSync(folder, { recursive: true })
  const baseURL = `http://127.0.0.1:${shop.port}`
  const page = await browser.newPage({ baseURL, viewport, timezoneId: 'Europe/Berlin' })
  const [product] = JSON.parse(await shop.read(apiRoutes.products)) as { id: string }[]
  await page.goto(checkoutPath(product?.id ?? ''))
  await page.getByLabel('Email').first().waitFor()
  await takeScreenshot(page, 'checkout')

  const [name = '', value = ''] = shop.cookie.split('=')
  await page.context().addCookies([{ name, value, url: baseURL }])
  await page.goto(pages.orders)
  await page.locator('tbody tr[aria-rowindex]').first().waitFor()
  await takeScreenshot(page, 'orders')
  await page.goto(pages.analytics)
  await page.getByText('Total Revenue').first().waitFor()
  await takeScreenshot(page, 'analytics')
} finally {
  await browser.close()
  await shop.close()
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  const path = `${folder}/${name}.png`
  await page.screenshot({ path, animations: 'disabled' })
  console.log(path)
}
