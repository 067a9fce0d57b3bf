import { after } from 'node:test'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { freePort } from '#tools/running-shop.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { openTestShop, testAdmin, type TestShop } from '#server/testing/test-shop.ts'

/** Messages of the browser about an answer that a story asked for, such as a refused sign-in. */
const expectedMessages =
  /Failed to load resource: (the server responded with a status of|net::ERR_FAILED|net::ERR_INTERNET_DISCONNECTED|net::ERR_CONNECTION_RESET)/

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export type BrowserShop = TestShop & {
  address: string
  /** A visitor with a browser of their own. The story fails on any error in the page's console. */
  visit: (options?: BrowserContextOptions) => Promise<Page>
  /** A visitor who has signed in as the admin. */
  visitAsAdmin: (options?: BrowserContextOptions) => Promise<Page>
}

/** The whole shop on a port, and a real browser to look at it. */
export async function openBrowserShop(
  options: { environment?: Record<string, string> } = {},
): Promise<BrowserShop> {
  const port = await freePort()
  const shop = await openTestShop({
    web: await readWebFiles(),
    webhookUrl: `http://127.0.0.1:${port}${apiRoutes.paymentWebhook}`,
    sweeps: true,
    ...options,
  })
  const address = await shop.app.listen({ port, host: '127.0.0.1' })
  const browser = await launchBrowser()
  after(() => browser.close())

  async function visit(context: BrowserContextOptions = {}): Promise<Page> {
    const own = await browser.newContext({ baseURL: address, reducedMotion: 'reduce', ...context })
    after(() => own.close())
    // Pictures that stories take from elsewhere: no story leaves this machine.
    await own.route('https://example.com/**', (route) =>
      route.fulfill({ contentType: 'image/png', body: onePixel }),
    )
    const page = await own.newPage()
    failOnPageErrors(page)
    return page
  }

  async function visitAsAdmin(context: BrowserContextOptions = {}): Promise<Page> {
    const page = await visit(context)
    const { cookie } = await shop.signIn()
    const [name = '', value = ''] = cookie.split('=')
    await page.context().addCookies([{ name, value, url: address }])
    return page
  }

  return { ...shop, address, visit, visitAsAdmin }
}

export { testAdmin }

async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath(),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
}

function browserPath(): string {
  // oxlint-disable-next-line node/no-process-env -- set by npm test, which finds or installs the browser
  const path = process.env.CHROMIUM_PATH
  if (!path) throw new Error('Browser specs need Chromium: run them with npm test -- e2e')
  return path
}

function failOnPageErrors(page: Page): void {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expectedMessages.test(message.text()))
      faults.push(message.text())
  })
  after(() => {
    if (faults.length > 0) throw new Error(`The page complained: ${faults.join('\n')}`)
  })
}
