import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { ownLogo } from '#server/testing/orders.ts'
import { holdPort } from '#server/testing/running-shop.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import {
  openTestShop,
  testAdmin,
  type TestShop,
  type TestShopOptions,
} from '#server/testing/test-shop.ts'
import { keepTraces } from './traces.ts'

/** The browser logs every failed request as an error, also those that a story provokes. */
const expectedErrors =
  /Failed to load resource: (the server responded with a status of|net::ERR_FAILED|net::ERR_INTERNET_DISCONNECTED|net::ERR_CONNECTION_RESET|net::ERR_SOCKET_NOT_CONNECTED)/

const logo = readFileSync('web/ui/favicon.svg')

export type BrowserShop = TestShop & {
  address: string
  /** A visitor with a browser context of their own. The story fails on any error in the page's console. */
  visit: (options?: BrowserContextOptions) => Promise<Page>
  /** A visitor who has signed in as the admin. */
  visitAsAdmin: (options?: BrowserContextOptions) => Promise<Page>
}

/** A whole shop on a port, and a real browser. */
export async function openBrowserShop(
  options: Pick<TestShopOptions, 'environment' | 'isLive' | 'merchant' | 'canConnect'> = {},
): Promise<BrowserShop> {
  const keepTrace = keepTraces()
  // Closed before the shop, which waits for the browser's connections.
  const browser = await connectToBrowser()
  after(() => browser.close())
  const { port, release } = await holdPort()
  const shop = await openTestShop({
    web: await readWebFiles(),
    webhookUrl: `http://127.0.0.1:${port}${apiRoutes.paymentWebhook}`,
    sweeps: true,
    ...options,
    environment: { PORT: String(port), ...options.environment },
  })
  shop.app.get(ownLogo, { config: { access: 'public' } }, (_request, reply) =>
    reply.type('image/svg+xml').send(logo),
  )
  await release()
  const address = await shop.app.listen({ port, host: '127.0.0.1' })

  async function visit(context: BrowserContextOptions = {}): Promise<Page> {
    const own = await browser.newContext({ baseURL: address, reducedMotion: 'reduce', ...context })
    after(() => own.close())
    await own.addInitScript(stopAnimations)
    const page = await own.newPage()
    keepTrace(page)
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

/**
 * Fades and slides would be drawn frame by frame for nobody, a tenth of all work, and keep clicks waiting. A sheet that
 * a script adopts is allowed by every policy of the pages.
 */
function stopAnimations(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    '*, ::before, ::after { animation: none !important; transition: none !important }',
  )
  document.adoptedStyleSheets = [sheet]
}

/** On the login page. */
export async function logIn(
  page: Page,
  { username, password } = { username: testAdmin.username, password: testAdmin.password },
): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** The Chromium that `npm test` started for all specs. */
async function connectToBrowser(): Promise<Browser> {
  // oxlint-disable-next-line node/no-process-env -- set by npm test
  const endpoint = process.env.TILL_TEST_BROWSER
  if (!endpoint) throw new Error('Browser specs need Chromium: run them with npm test -- e2e')
  return chromium.connect(endpoint)
}

function failOnPageErrors(page: Page): void {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expectedErrors.test(message.text()))
      errors.push(message.text())
  })
  after(() => {
    if (errors.length > 0) throw new Error(`Errors in the page: ${errors.join('\n')}`)
  })
}
