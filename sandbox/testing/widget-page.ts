import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { chromium, type Page } from 'playwright-core'
import type { TestSandbox } from './sandbox.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- the widget's bodies under test
export type WidgetEvent = { type: string; body: any }

const pageNonce = 'c2FuZGJveA'

/** As patient as the tests of the shop. */
const patienceMs = 60_000

/** The shop's script: passes the widget's events and policy violations to the test. */
const shopScript = `
  addEventListener('securitypolicyviolation', (event) =>
    sendEvent('violation', event.violatedDirective + ' ' + event.blockedURI))
  window.mountCard = (config) => {
    window.card = SumUpCard.mount({
      onResponse: (type, body) => sendEvent(type, body),
      onLoad: () => sendEvent('load'),
      onPaymentMethodsLoad: (methods) => { sendEvent('methods', methods); return window.chosenMethods },
      ...config,
    })
  }
`

/** A shop whose policy allows only what SumUp documents for the widget. */
async function openShop(sandboxOrigin: string, sdkUrl: string): Promise<string> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${sandboxOrigin}`,
    `style-src 'nonce-${pageNonce}'`,
    `connect-src ${sandboxOrigin}`,
    `frame-src ${sandboxOrigin}`,
    "form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  ].join('; ')
  const html = `<!doctype html><html lang="en"><head><title>Shop</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <script src="/shop.js"></script><script src="${sdkUrl}"></script></head>
    <body><main><h1>Shop</h1><div id="sumup-card"></div></main></body></html>`
  const server = createServer((request, response) => {
    const script = request.url === '/shop.js'
    response.writeHead(request.url === '/favicon.ico' ? 204 : 200, {
      'content-type': script ? 'text/javascript' : 'text/html',
      'content-security-policy': policy,
    })
    response.end(script ? shopScript : html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Pages of that shop in a real browser. Page errors and policy violations fail the test file. */
export async function openPages(sandbox: TestSandbox) {
  const browser = await chromium.launch({
    // oxlint-disable-next-line node/no-process-env -- set by npm test, which finds or installs the browser
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    timeout: patienceMs,
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
  after(() => browser.close())
  const shopUrl = await openShop(new URL(sandbox.sdkUrl).origin, sandbox.sdkUrl)
  const errors: string[] = []
  after(() => {
    if (errors.length > 0) throw new Error(`Page errors: ${errors.join('\n')}`)
  })

  const page = await browser.newPage()
  page.setDefaultTimeout(patienceMs)
  let onEvent = (_event: WidgetEvent): void => {}
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.exposeFunction('sendEvent', (type: string, body: unknown) => {
    if (type === 'violation') errors.push(String(body))
    onEvent({ type, body })
  })

  /** Reloads the shop's page: a new tab for each test would take longer than the test. */
  async function visit() {
    const events: WidgetEvent[] = []
    const waiting: (() => void)[] = []
    onEvent = (event) => {
      events.push(event)
      for (const resolve of waiting.splice(0)) resolve()
    }
    await page.setViewportSize({ width: 375, height: 800 })
    await page.goto(shopUrl)
    return {
      page,
      events,
      types: () => events.map(({ type }) => type),
      /** The first event of this type from an index on. */
      waitFor: async (type: string, from = 0): Promise<WidgetEvent['body']> => {
        for (;;) {
          const found = events.slice(from).find((one) => one.type === type)
          if (found) return found.body
          await new Promise<void>((resolve) => waiting.push(resolve))
        }
      },
      mount: (config: Record<string, unknown>) =>
        page.evaluate(`mountCard(${JSON.stringify(config)})`),
    }
  }
  return { visit, shopUrl, nonce: pageNonce }
}

export async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill('1235')
  await page.getByLabel('Security code').fill('123')
}
