import { after } from 'node:test'
import { chromium, type BrowserContext } from 'playwright-core'
import { checkoutPath, pages, thankYouPath } from '#contract/paths.ts'
import { orderLink } from '#server/orders/order-link.ts'
import { ensureBrowser } from '#tools/browser.ts'
import { createFaults, type Findings } from './findings.ts'
import type { TextShop } from './texts.ts'

/*
 * The pages with hostile texts in a real browser, whose content security policy is off: it is the second wall, and this
 * looks at the first one.
 */

/** Texts call these. Each call is reported instead. */
const watchScript = `for (const name of ['alert', 'prompt', 'confirm', 'msgbox']) globalThis[name] = () => attackRan(location.href)`

export async function attackInBrowser(shop: TextShop, maxTexts: number): Promise<Findings> {
  const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    args: ['--no-sandbox'],
  })
  after(() => browser.close())
  const faults = createFaults('scripts of texts that ran', 'requests to the attacker')
  let loaded = 0

  async function openContext(): Promise<BrowserContext> {
    const context = await browser.newContext({ baseURL: address, bypassCSP: true })
    await context.exposeFunction('attackRan', (url: string) => {
      faults['scripts of texts that ran'].push(url)
    })
    await context.addInitScript(watchScript)
    // Nothing leaves this machine.
    await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => {
      const url = route.request().url()
      if (url.includes('evil.example')) faults['requests to the attacker'].push(url)
      return route.abort()
    })
    return context
  }

  async function visit(context: BrowserContext, paths: string[], waitFor: string): Promise<void> {
    const page = await context.newPage()
    page.on('dialog', (dialog) => {
      faults['scripts of texts that ran'].push(`${page.url()}: a ${dialog.type()}`)
      void dialog.dismiss()
    })
    for (const path of paths) {
      await page.goto(path)
      await page.locator(waitFor).first().waitFor()
      // What an element does when it is pointed at or gets the focus.
      await page.keyboard.press('Tab')
      loaded += 1
    }
    await page.close()
  }

  const step = Math.max(1, Math.floor(shop.sold.length / maxTexts))
  const chosen = shop.sold.filter((_sale, at) => at % step === 0)
  const buyer = await openContext()
  await visit(
    buyer,
    chosen.map(({ productId }) => checkoutPath(productId)),
    'form',
  )
  await visit(
    buyer,
    chosen.map(({ orderId }) => orderLink('', orderId, shop.shop.secret)),
    'h1',
  )
  const admin = await openContext()
  const [name = '', value = ''] = (await shop.signIn()).cookie.split('=')
  await admin.addCookies([{ name, value, url: address }])
  await visit(admin, [pages.products, pages.orders, pages.fulfillment, pages.analytics], 'h1')
  await visit(
    admin,
    chosen.map(({ orderId }) => `${pages.orders}?order=${orderId}`),
    `[role=dialog] a[href^="${thankYouPath('')}"]`,
  )
  return { figures: [`${loaded} pages with such texts loaded in Chromium`], faults }
}
