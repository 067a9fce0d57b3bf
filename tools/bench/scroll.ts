import { availableParallelism, loadavg } from 'node:os'
import { chromium, type Browser, type Page } from 'playwright-core'
import { pages } from '#contract/paths.ts'
import type { Row } from '#tools/bench/report.ts'
import { formatNumber, median, type BenchOptions, type BenchShop } from '#tools/bench/shop.ts'
import { ensureBrowser } from '#tools/browser.ts'

/** From here on people notice that a page does not react. */
const longTaskMs = 100
const visits = 5
const firstRow = 'tbody tr[aria-rowindex]'

/** As Lighthouse understands slow 4G. Bytes a second. */
const slow4g = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const networks = [
  { name: 'fast network', max: 0.35, before: '0.41 s', conditions: undefined },
  { name: 'slow 4G', max: 1.5, before: '1.9 s', conditions: slow4g },
]

/** How soon a browser that was never here shows the orders of a large shop. */
export async function benchOrdersPage({ shops }: BenchOptions): Promise<Row[]> {
  const shop = await shops.large()
  return useBrowser(async (browser) => {
    const rows: Row[] = []
    for (const { name, max, before, conditions } of networks) {
      const opened: Opened[] = []
      for (let visit = -1; visit < visits; visit += 1) {
        const found = await openOrders(browser, shop, conditions)
        if (visit >= 0) opened.push(found)
      }
      const seconds = median(opened.map((visit) => visit.seconds))
      const [{ scripts, scriptBytes } = { scripts: 0, scriptBytes: 0 }] = opened
      rows.push({
        what: `orders page at ${formatNumber(shop.size)}: usable, ${name}`,
        measured: `${seconds.toFixed(2)} s; ${Math.round(scriptBytes / 1024)} kB in ${scripts} scripts`,
        aim: `≤ ${max} s`,
        isMet: seconds <= max,
        before,
      })
    }
    return rows
  })
}

type Opened = { seconds: number; scripts: number; scriptBytes: number }

/** In a context of its own, so that nothing is cached. Usable: the first orders are there to be clicked on. */
async function openOrders(
  browser: Browser,
  shop: BenchShop,
  conditions: typeof slow4g | undefined,
): Promise<Opened> {
  const page = await openPage(browser, shop)
  const session = await page.context().newCDPSession(page)
  if (conditions)
    await session.send('Network.emulateNetworkConditions', { offline: false, ...conditions })
  await page.addInitScript(watchFor, firstRow)
  await page.goto(pages.orders, { waitUntil: 'commit' })
  await page.locator(firstRow).first().waitFor()
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

/** Long tasks in the browser while scrolling through every order of a large shop. */
export async function benchScroll({ shops }: BenchOptions): Promise<Row[]> {
  const shop = await shops.large()
  return useBrowser(async (browser) => {
    const page = await openPage(browser, shop)
    await page.goto(pages.orders)
    await page.locator(firstRow).first().waitFor()
    const tasks = await traceTasks(page)
    return report(await page.evaluate(scrollThrough), await tasks.end())
  })
}

function report({ rows, seconds, inPage }: Scrolled, tasks: Task[]): Row[] {
  const longest = (kind: keyof Task) => Math.round(Math.max(0, ...tasks.map((task) => task[kind])))
  const tooLong = (kind: keyof Task) => tasks.filter((task) => task[kind] > longTaskMs).length
  const load = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`
  return [
    {
      what: `scrolling through ${formatNumber(rows)} orders`,
      measured: `${seconds} s, ${inPage} rows in the page`,
    },
    {
      what: 'longest task',
      measured: `${longest('cpuMs')} ms of work, ${longest('wallMs')} ms by the clock (load ${load})`,
    },
    {
      what: `tasks over ${longTaskMs} ms`,
      measured: `${tooLong('cpuMs')} of work, ${tooLong('wallMs')} by the clock, of ${tasks.length}`,
    },
  ]
}

/** A task of the page's main thread: CPU time, and wall time on a machine with other load. */
type Task = { cpuMs: number; wallMs: number }

type TraceEvent = {
  name: string
  tid: number
  pid: number
  /** In microseconds. */
  dur?: number
  tdur?: number
  args?: { name?: string }
}

async function traceTasks(page: Page): Promise<{ end: () => Promise<Task[]> }> {
  const browser = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  browser.on('Tracing.dataCollected', ({ value }) =>
    events.push(...(value as unknown as TraceEvent[])),
  )
  await browser.send('Tracing.start', {
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline'] },
  })

  async function end(): Promise<Task[]> {
    const ended = new Promise((resolve) => browser.once('Tracing.tracingComplete', resolve))
    await browser.send('Tracing.end')
    await ended
    const threads = events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`)
    return events
      .filter(({ name, pid, tid }) => name === 'RunTask' && threads.includes(`${pid} ${tid}`))
      .map(({ dur = 0, tdur = 0 }) => ({ cpuMs: tdur / 1000, wallMs: dur / 1000 }))
  }
  return { end }
}

type Scrolled = Awaited<ReturnType<typeof scrollThrough>>

/** Runs in the page: jumps to the end of what is loaded until nothing follows, then scrolls back up quickly. */
async function scrollThrough() {
  const idleMs = 10_000
  const upwardPxPerFrame = 400
  const upwardFrames = 300
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const started = performance.now()
  let movedAt = started
  for (let top = -1; performance.now() - movedAt < idleMs;) {
    scrollTo(0, document.documentElement.scrollHeight)
    await frame()
    if (scrollY !== top) movedAt = performance.now()
    top = scrollY
  }
  const rows = [...document.querySelectorAll('tbody tr[aria-rowindex]')]
  for (let frames = 0; frames < upwardFrames; frames += 1) {
    scrollBy(0, -upwardPxPerFrame)
    await frame()
  }
  return {
    rows: Number(rows.at(-1)?.getAttribute('aria-rowindex')) - 1,
    inPage: rows.length,
    seconds: ((movedAt - started) / 1000).toFixed(1),
  }
}
