import { chromium, type Browser, type Page } from 'playwright-core'
import { checkoutPath, pages } from '#contract/paths.ts'
import type { Row } from '#tools/bench/report.ts'
import {
  findProduct,
  formatNumber,
  median,
  type BenchOptions,
  type BenchShop,
} from '#tools/bench/shop.ts'
import { ensureBrowser } from '#tools/browser.ts'

const visits = 5

/** As Lighthouse understands slow 4G. Bytes a second. */
const slow4g = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const fast = undefined

type Screen = {
  what: string
  path: string
  /** The page can be used once this is there. */
  usable: string
  aims: { name: string; conditions: typeof slow4g | undefined; max?: number; before: string }[]
}

/** How soon a browser that was never here can use a page: the orders of a large shop, and the card form of a checkout. */
export async function benchScreens({ shops }: BenchOptions): Promise<Row[]> {
  const shop = await shops.large()
  const screens: Screen[] = [
    {
      what: `orders page at ${formatNumber(shop.size)}`,
      path: pages.orders,
      usable: 'tbody tr[aria-rowindex]',
      aims: [
        { name: 'fast network', conditions: fast, max: 0.35, before: '0.41 s' },
        { name: 'slow 4G', conditions: slow4g, max: 1.7, before: '1.9 s' },
      ],
    },
    {
      what: 'checkout',
      path: checkoutPath((await findProduct(shop)).id),
      usable: '#sumup-card input:not([type=hidden])',
      aims: [
        { name: 'fast network', conditions: fast, before: '0.34 s on 2026-11-17' },
        { name: 'slow 4G', conditions: slow4g, before: '1.21 s on 2026-11-17' },
      ],
    },
  ]
  return useBrowser(async (browser) => {
    const rows: Row[] = []
    for (const screen of screens)
      for (const { name, conditions, max, before } of screen.aims) {
        const opened: Opened[] = []
        for (let visit = -1; visit < visits; visit += 1) {
          const found = await openScreen(browser, shop, screen, conditions)
          if (visit >= 0) opened.push(found)
        }
        const seconds = median(opened.map((visit) => visit.seconds))
        const [{ scripts, scriptBytes } = { scripts: 0, scriptBytes: 0 }] = opened
        rows.push({
          what: `${screen.what}: usable, ${name}`,
          measured: `${seconds.toFixed(2)} s; ${Math.round(scriptBytes / 1024)} kB in ${scripts} scripts`,
          ...(max !== undefined && { aim: `≤ ${max} s`, isMet: seconds <= max }),
          before,
        })
      }
    return rows
  })
}

type Opened = { seconds: number; scripts: number; scriptBytes: number }

/** In a context of its own, so that nothing is cached. */
async function openScreen(
  browser: Browser,
  shop: BenchShop,
  { path, usable }: Screen,
  conditions: typeof slow4g | undefined,
): Promise<Opened> {
  const page = await openPage(browser, shop)
  const session = await page.context().newCDPSession(page)
  if (conditions)
    await session.send('Network.emulateNetworkConditions', { offline: false, ...conditions })
  await page.addInitScript(watchFor, usable)
  await page.goto(path, { waitUntil: 'commit' })
  await page.locator(usable).first().waitFor()
  const opened = await page.evaluate(describeLoading)
  await page.context().close()
  return opened
}

/** Runs in the page, before anything else of it: marks the moment at which there is such an element. */
function watchFor(selector: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)) return
    performance.mark('usable')
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Runs in the page. Scripts that came later were not needed for it. */
function describeLoading(): Opened {
  const [{ startTime } = { startTime: performance.now() }] = performance.getEntriesByName('usable')
  const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
    ({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= startTime,
  )
  return {
    seconds: startTime / 1000,
    scripts: scripts.length,
    scriptBytes: scripts.reduce((sum, { transferSize }) => sum + transferSize, 0),
  }
}

async function useBrowser<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

async function openPage(browser: Browser, { address, cookie }: BenchShop): Promise<Page> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 1280, height: 800 },
  })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: address }])
  return context.newPage()
}
