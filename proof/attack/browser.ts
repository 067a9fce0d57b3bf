import { after } from 'node:test'
import { chromium, type BrowserContext } from 'playwright-core'
import { apiRoutes, checkoutPath, pages, pathOf, thankYouPath } from '#contract/paths.ts'
import { orderLink } from '#server/orders/order-link.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { listReview, sendWebhook } from '#server/testing/sale.ts'
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

  /** From an address of its own, so that reads of orders are not limited together. */
  async function openContext(from: string): Promise<BrowserContext> {
    const extraHTTPHeaders = { 'x-forwarded-for': from }
    const context = await browser.newContext({
      baseURL: address,
      bypassCSP: true,
      extraHTTPHeaders,
    })
    await context.exposeFunction('attackRan', (url: string) => {
      faults['scripts of texts that ran'].push(url)
    })
    await context.addInitScript(watchScript)
    // Nothing leaves this machine.
    await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => {
      const url = route.request().url()
      if (new URL(url).hostname.endsWith('evil.example'))
        faults['requests to the attacker'].push(url)
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

  /** Each form, with its pictures and texts. */
  async function openProductForms(context: BrowserContext, count: number): Promise<void> {
    const page = await context.newPage()
    await page.goto(pages.products)
    const buttons = page.getByRole('button', { name: 'Edit Product' })
    await buttons.first().waitFor()
    for (let at = 0; at < Math.min(count, await buttons.count()); at += 1) {
      await buttons.nth(at).click()
      const form = page.getByRole('dialog')
      await form.waitFor()
      await page.keyboard.press('Escape')
      await form.waitFor({ state: 'detached' })
      loaded += 1
    }
    await page.close()
  }

  const step = Math.max(1, Math.floor(shop.sold.length / maxTexts))
  const chosen = shop.sold.filter((_sale, at) => at % step === 0)
  const buyer = await openContext('198.19.1.1')
  await visit(
    buyer,
    chosen.map(({ productId }) => checkoutPath(productId)),
    'form',
  )
  await visit(
    buyer,
    chosen.map(({ orderId }) => orderLink('', { id: orderId, linkVersion: 0 }, shop.shop.secret)),
    'h1',
  )
  await fillReview(shop, chosen)
  const admin = await openContext('198.19.1.2')
  const [name = '', value = ''] = (await shop.signIn()).cookie.split('=')
  await admin.addCookies([{ name, value, url: address }])
  await visit(admin, [pages.products, pages.orders, pages.fulfillment, pages.analytics], 'h1')
  await visit(
    admin,
    chosen.map(({ orderId }) => `${pages.orders}?order=${orderId}`),
    `[role=dialog] a[href^="${thankYouPath('')}"]`,
  )
  await visit(admin, [pages.orders], '#payments-in-review')
  await visit(admin, [`${pages.orders}?review=archive`], '[role=dialog] li')
  await openProductForms(admin, chosen.length)
  return { figures: [`${loaded} pages with such texts loaded in Chromium`], faults }
}

/** Payments of these products without details: one half waits for a decision, the other was dismissed with the text as a note. */
async function fillReview(shop: TextShop, sold: TextShop['sold']): Promise<void> {
  const headers = await shop.signIn()
  for (const [at, { productId, payload }] of sold.entries()) {
    const buyer = createBuyer(shop, `198.19.0.${at}`)
    const { checkoutId } = (await buyer.open(productId)).json()
    await payByCard(shop.sandbox, checkoutId)
    await sendWebhook(shop, checkoutId)
    if (at % 2 === 0) continue
    const [entry] = await listReview(shop)
    const url = pathOf(apiRoutes.reviewDismiss, { id: entry?.id ?? '' })
    const answer = await shop.app.inject({
      method: 'POST',
      url,
      headers,
      payload: { version: entry?.version, note: payload },
    })
    if (answer.statusCode !== 204) throw new Error(`${payload}: ${answer.body}`)
  }
}
