import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { defaultLanguage, type Language } from '#contract/languages.ts'
import { orderPageSize } from '#contract/orders.ts'
import { adminPages, apiRoutes, pages } from '#contract/paths.ts'
import type {
  CheckoutPageData,
  MissingPageData,
  NotForSalePageData,
  PageAssets,
  ProblemPageData,
  ShopFacts,
  ThankYouPageData,
  WithdrawalPageData,
} from '#contract/public-pages.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Config } from '#server/config.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { isPage, sendRefusal, type RefusalPage } from './errors.ts'
import { findPageLanguage } from './page-language.ts'
import { createBody, createNonce, sendPage, type ReadyBody } from './page.ts'
import type { ReadFacts } from './shop-facts.ts'

/** In web/admin/index.html. */
const noncePlaceholder = '__CSP_NONCE__'

const built = join(import.meta.dirname, '..', '..', 'dist', 'pages')
const root = join(built, 'web')

/** The built web part, read once at start. */
export type WebFiles = {
  /** Its files have a hash of their content in the name, so browsers cache them for good. */
  assetsFolder: string
  /** With `isEarly`, the browser reads what the page shows before the page's scripts have loaded. */
  adminPage: (path: AdminPath, isEarly: boolean, nonce: string) => ReadyBody
  /** The nonce is for the style tags that SumUp's widget adds. */
  checkoutPage: (data: CheckoutPageData, nonce: string) => ReadyBody
  /** Without a script, for a preview in a frame. */
  checkoutPreview: (data: CheckoutPageData) => string
  thankYouPage: (data: ThankYouPageData) => ReadyBody
  missingPage: (data: MissingPageData) => ReadyBody
  notForSalePage: (data: NotForSalePageData) => ReadyBody
  withdrawalPage: (data: WithdrawalPageData) => ReadyBody
  /** Says why a page cannot be shown. */
  problemPage: (data: ProblemPageData) => ReadyBody
}

/** The exports of the built web/storefront/shell/render.tsx. */
type Render = {
  renderCheckout: (data: CheckoutPageData, assets: PageAssets, nonce?: string) => string
  renderThankYou: (data: ThankYouPageData, assets: PageAssets) => string
  renderMissing: (data: MissingPageData, assets: PageAssets) => string
  renderNotForSale: (data: NotForSalePageData, assets: PageAssets) => string
  renderWithdrawal: (data: WithdrawalPageData, assets: PageAssets) => string
  renderProblem: (data: ProblemPageData, assets: PageAssets) => string
}

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] } | undefined>

type AdminPath = typeof pages.login | (typeof adminPages)[number]

const session = [apiRoutes.adminUser, apiRoutes.notices]
const products = [apiRoutes.products, apiRoutes.customDomain, apiRoutes.settings, apiRoutes.setup]
const orders = [`${apiRoutes.orders}?limit=${orderPageSize.page}`, apiRoutes.orderCounts]

/** What each page reads as soon as its scripts run. A call that it does not make would be made in vain (test). */
const firstReads: Record<AdminPath, readonly string[]> = {
  [pages.login]: [],
  [pages.home]: [...session, ...products],
  [pages.products]: [...session, ...products],
  [pages.orders]: [
    ...session,
    ...orders,
    apiRoutes.review,
    apiRoutes.testData,
    apiRoutes.withdrawals,
  ],
  [pages.fulfillment]: [...session, ...orders],
  [pages.analytics]: session,
}

export async function readWebFiles(): Promise<WebFiles> {
  try {
    const adminHtml = await readFile(join(root, 'admin', 'index.html'), 'utf8')
    const manifest = {
      ...(await readManifest('manifest')),
      ...(await readManifest('checkout-manifest')),
    }
    const render: Render = await import(pathToFileURL(join(built, 'ssr', 'render.js')).href)
    const checkout = manifest['storefront/checkout/main.tsx']
    const assets: PageAssets = {
      stylesheet: `/${checkout?.css?.[0]}`,
      script: checkout ? `/${checkout.file}` : null,
    }
    return {
      assetsFolder: join(root, 'assets'),
      adminPage: createAdminPages(adminHtml, manifest),
      checkoutPage: (data, nonce) => createBody(render.renderCheckout(data, assets, nonce)),
      checkoutPreview: (data) => render.renderCheckout(data, { ...assets, script: null }),
      thankYouPage: (data) => createBody(render.renderThankYou(data, assets)),
      missingPage: (data) => createBody(render.renderMissing(data, assets)),
      notForSalePage: (data) => createBody(render.renderNotForSale(data, assets)),
      withdrawalPage: (data) => createBody(render.renderWithdrawal(data, assets)),
      problemPage: (data) => createBody(render.renderProblem(data, assets)),
    }
  } catch (cause) {
    throw new CannotStart('The web part is not built. Start the shop with: npm start', { cause })
  }
}

/** Maps each source file to its built file. */
async function readManifest(name: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, '.vite', `${name}.json`), 'utf8'))
}

/**
 * The back-office is one page. Its scripts for a path, and what they read first, are named in the head: the browser asks
 * for all of it at once, instead of for one thing after the other.
 */
function createAdminPages(html: string, manifest: Manifest): WebFiles['adminPage'] {
  const create = (path: AdminPath, reads: readonly string[]) => {
    const scripts = listScripts(manifest, path).filter((file) => !html.includes(file))
    const links = [
      ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
      // As fetch() in web/api.ts asks: otherwise the browser would ask twice.
      ...reads.map(
        (url) => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${url}">`,
      ),
    ]
    return html.replace('</head>', `${links.join('')}</head>`)
  }
  const paths = Object.keys(firstReads) as AdminPath[]
  const plain = new Map(paths.map((path) => [path, create(path, [])]))
  const early = new Map(paths.map((path) => [path, create(path, firstReads[path])]))
  return (path, isEarly, nonce) => {
    const page = (isEarly ? early : plain).get(path) ?? create(path, [])
    return createBody(page.replace(noncePlaceholder, nonce))
  }
}

/** The built files of a path's screen, web/admin/…/orders-page.tsx for /orders, and of all that it imports. */
function listScripts(manifest: Manifest, path: AdminPath): string[] {
  const screen = path === pages.home ? pages.products : path
  const source = Object.keys(manifest).find((name) => name.endsWith(`${screen}-page.tsx`))
  const found = new Set(source ? [source] : [])
  // A set may grow while it is walked.
  for (const name of found)
    for (const imported of manifest[name]?.imports ?? []) found.add(imported)
  return [...found].flatMap((name) => manifest[name]?.file ?? [])
}

/** Serves the built files and the pages of the back-office. */
export async function mountPages(
  app: FastifyInstance,
  web: WebFiles,
  findSession: (request: FastifyRequest) => Promise<unknown>,
): Promise<void> {
  await app.register(staticFiles, {
    root: web.assetsFolder,
    serve: false,
    index: false,
    preCompressed: true,
  })
  const files = { config: { access: 'public', isFile: true }, compress: false } as const
  app.get<{ Params: { '*': string } }>('/assets/*', files, (request, reply) =>
    reply.sendFile(request.params['*'], { immutable: true, maxAge: '1y' }),
  )

  for (const path of [pages.login, ...adminPages]) {
    app.get(path, { config: { access: 'backoffice' }, compress: false }, async (request, reply) => {
      // What follows a question mark, such as a search, changes what is read. Nothing is read for a session that has ended:
      // the browser keeps such a refusal and would give it to the page after the next login. Without a database there is
      // still a page.
      const isEarly = request.url === path && Boolean(await findSession(request).catch(() => {}))
      const nonce = createNonce()
      return sendPage(reply, web.adminPage(path, isEarly, nonce), reply.pagePolicy(nonce))
    })
  }
}

/** Unknown API routes are answered with JSON, unknown pages with a page. */
export function registerNotFoundHandler(
  app: FastifyInstance,
  { web, readFacts, config }: { web: WebFiles | undefined; readFacts: ReadFacts; config: Config },
): void {
  /** Rendered once in each language for as long as the shop's facts are the same: anybody can ask for it at any address. */
  let last: { shop: ShopFacts; pages: Partial<Record<Language, ReadyBody>> } | undefined
  app.setNotFoundHandler((request, reply) => {
    if (!web || !isPage(request)) return sendRefusal(reply, new Refusal('call-missing'))
    const shop = readFacts()
    const spoken = findPageLanguage(config, request)
    if (last?.shop !== shop) last = { shop, pages: {} }
    const page = (last.pages[spoken.language] ??= web.missingPage({
      text: 'Page Not Found',
      shop,
      spoken,
    }))
    return sendPage(reply.code(404), page, reply.pagePolicy())
  })
}

/** What a browser shows of a page that was refused. */
export function createRefusalPage(web: WebFiles, config: Config): RefusalPage {
  return (reply, { code, message: text }) => {
    const { request } = reply
    // The back-office is English.
    const isOfBuyer = request.routeOptions.config.isBuyerPage === true
    const { language } = isOfBuyer
      ? findPageLanguage(config, request)
      : { language: defaultLanguage }
    return sendPage(reply, web.problemPage({ code, text, language }), reply.pagePolicy())
  }
}
