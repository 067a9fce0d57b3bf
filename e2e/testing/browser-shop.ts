import { Readable } from 'node:stream'
import { after } from 'node:test'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import sharp from 'sharp'
import { apiRoutes } from '#contract/paths.ts'
import { findObjectKey } from '#contract/pictures.ts'
import { objects } from '#server/db/schema.ts'
import { findObject } from '#server/uploads/objects.ts'
import { receiveUpload } from '#server/uploads/accept.ts'
import { ownLogo } from '#server/testing/orders.ts'
import { holdPort } from '#server/testing/running-shop.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import {
  openTestShop,
  testAdmin,
  type TestShop,
  type TestShopOptions,
} from '#server/testing/test-shop.ts'
import { patienceMs } from '#server/testing/wait-for.ts'
import { keepToasts } from './keep-toasts.ts'
import { watchVisitors } from './traces.ts'

/** `isAnimated`: with the animations that are otherwise stopped. `closesToasts`: toasts close by themselves. */
export type VisitOptions = BrowserContextOptions & { isAnimated?: boolean; closesToasts?: boolean }

const logo = sharp({ create: { width: 96, height: 32, channels: 3, background: 'teal' } })

/** Where pictures are on disk; with S3 products of tests have pictures of their own. */
async function addOwnLogo({ db, shop: { pictures } }: TestShop): Promise<void> {
  const key = findObjectKey(ownLogo) ?? ''
  await db.insert(objects).values({ key, kind: 'logo', createdBy: 'tests' })
  const object = await findObject(db, key)
  const { receiver } = pictures.store
  if (!object || !receiver) return
  const bytes = Readable.from([await logo.clone().png().toBuffer()])
  await receiveUpload(db, pictures, receiver, object, bytes)
}

export type BrowserShop = TestShop & {
  address: string
  /** A visitor with a browser context of their own. The story fails on any error in the console of its pages. */
  visit: (options?: VisitOptions) => Promise<Page>
  /** A visitor who has signed in as the admin. */
  visitAsAdmin: (options?: VisitOptions) => Promise<Page>
  /** The only tab of a browser that stories share: signed in with a new session, and without what a tab keeps. */
  reopenAsAdmin: (context: BrowserContext) => Promise<Page>
}

/** A whole shop on a port, and a real browser. */
export async function openBrowserShop(
  options: Pick<TestShopOptions, 'environment' | 'isLive' | 'merchant' | 'canConnect'> = {},
): Promise<BrowserShop> {
  const watch = watchVisitors()
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
  await addOwnLogo(shop)
  await release()
  const address = await shop.app.listen({ port, host: '127.0.0.1' })

  async function visit(visitOptions: VisitOptions = {}): Promise<Page> {
    const { isAnimated = false, closesToasts = false, ...context } = visitOptions
    const own = await browser.newContext({
      baseURL: address,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      ...context,
    })
    after(() => own.close())
    own.setDefaultTimeout(patienceMs)
    if (!isAnimated) await own.addInitScript(stopAnimations)
    if (!closesToasts) await own.addInitScript(keepToasts)
    await own.addInitScript(readOwnClipboard)
    watch(own)
    return own.newPage()
  }

  async function visitAsAdmin(visitOptions: VisitOptions = {}): Promise<Page> {
    const page = await visit(visitOptions)
    await addSession(page.context())
    return page
  }

  async function reopenAsAdmin(context: BrowserContext): Promise<Page> {
    await Promise.all(context.pages().map((page) => page.close()))
    await addSession(context)
    return context.newPage()
  }

  async function addSession(context: BrowserContext): Promise<void> {
    const { cookie } = await shop.signIn()
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: address }])
  }

  return { ...shop, address, visit, visitAsAdmin, reopenAsAdmin }
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

/** The browser has one clipboard for all specs: what another has copied since is not read. */
function readOwnClipboard(): void {
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (!clipboard) return
  const write = clipboard.writeText.bind(clipboard)
  let own = ''
  clipboard.writeText = async (text) => {
    await write(text)
    own = text
  }
  clipboard.readText = async () => own
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
