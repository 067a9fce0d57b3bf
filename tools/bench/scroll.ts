import { availableParallelism, loadavg } from 'node:os'
import { chromium, type Browser, type Page } from 'playwright-core'
import { pages } from '#contract/paths.ts'
import { median, openBenchShop, printFigure, type BenchShop } from '#tools/bench/shop.ts'
import { ensureBrowser } from '#tools/browser.ts'

const orders = 100_000
/** From here on people notice that a page does not react. */
const longTaskMs = 100

const orderRow = 'tbody tr[aria-rowindex]'

/** As Lighthouse has it: 1.6 Mbit/s, answers after 150 ms. */
const slow4g = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const networks = { fast: undefined, 'slow 4G': slow4g }
const openings = 5

/** How soon orders are shown in a browser without a cache, and its long tasks while scrolling through all of a large shop. */
export async function benchScroll(): Promise<void> {
  const shop = await openBenchShop(orders)
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    for (const [name, network] of Object.entries(networks))
      printFigure(`orders usable, ${name}`, await measureUsable(browser, shop, network))
    const page = await openPage(browser, shop)
    await page.goto(pages.orders)
    await page.locator(orderRow).first().waitFor()
    const tasks = await traceTasks(page)
    report(await page.evaluate(scrollThrough), await tasks.end())
  } finally {
    await browser.close()
    await shop.close()
  }
}

async function openPage(browser: Browser, { address, cookie }: BenchShop): Promise<Page> {
  const page = await browser.newPage({ baseURL: address, viewport: { width: 1280, height: 800 } })
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: address }])
  return page
}

/** From the request until the first orders are on the screen; and what was downloaded until then. */
async function measureUsable(
  browser: Browser,
  shop: BenchShop,
  network: typeof slow4g | undefined,
): Promise<string> {
  const times: number[] = []
  let scripts: number[] = []
  for (let opening = 0; opening < openings; opening += 1) {
    const page = await openPage(browser, shop)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    if (network)
      await session.send('Network.emulateNetworkConditions', { offline: false, ...network })
    await page.addInitScript(markOrders, orderRow)
    await page.goto(pages.orders)
    await page.locator(orderRow).first().waitFor()
    const { shownMs, sizes } = await page.evaluate(readShown)
    times.push(shownMs)
    scripts = sizes
    await page.context().close()
  }
  const bytes = scripts.reduce((sum, size) => sum + size, 0)
  return `${(median(times) / 1000).toFixed(2)} s, ${Math.round(bytes / 1024)} kB in ${scripts.length} scripts`
}

/** Runs in the page: marks the first frame with orders. */
function markOrders(row: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(row)) return
    observer.disconnect()
    requestAnimationFrame(() => performance.mark('orders'))
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Runs in the page. */
async function readShown() {
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const shownMs = performance.getEntriesByName('orders')[0]?.startTime ?? NaN
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const scripts = resources.filter(
    ({ name, responseEnd }) => name.endsWith('.js') && responseEnd > 0 && responseEnd < shownMs,
  )
  return { shownMs, sizes: scripts.map(({ encodedBodySize }) => encodedBodySize) }
}

function report(scrolled: Scrolled, tasks: Task[]): void {
  const { rows, seconds, inPage } = scrolled
  const longest = (kind: keyof Task) => Math.round(Math.max(0, ...tasks.map((task) => task[kind])))
  const tooLong = (kind: keyof Task) => tasks.filter((task) => task[kind] > longTaskMs).length
  const load = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`
  console.log(`  ${rows.toLocaleString('en')} orders in ${seconds} s, ${inPage} rows in the page`)
  console.log(
    `  longest task                    ${longest('cpuMs')} ms of work, ${longest('wallMs')} ms by the clock (load ${load})`,
  )
  console.log(
    `  tasks over ${longTaskMs} ms               ${tooLong('cpuMs')} of work, ${tooLong('wallMs')} by the clock, of ${tasks.length}`,
  )
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
