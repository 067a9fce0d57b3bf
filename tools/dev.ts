import { spawn } from 'node:child_process'
import { createServer, request as sendRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { createServer as createVite } from 'vite'
import { adminPages, pages, publicPages } from '#contract/paths.ts'
import { defaultDelivery } from '#contract/quotes.ts'
import { freePort } from '#server/testing/running-shop.ts'

/*
 * `npm run dev`: Vite answers first, with hot module replacement, and passes everything else on to the shop, which
 * Node restarts when one of its files changes. The shop is the one of production: what differs in development
 * (source files instead of built ones, no content security policy) is done here, in front of it. It runs in test
 * mode, without the SumUp account of .env: nobody should take real money by trying out a change.
 */

const port = Number(process.env.PORT ?? 3000)
const host = process.env.HOST ?? '127.0.0.1'
const shopPort = await freePort()
const maxRestartMs = 60_000
const pollMs = 100

/** What the browser loads for a page of the storefront. */
const storefrontAssets = {
  stylesheet: '/storefront/checkout/checkout.css',
  script: '/storefront/checkout/main.tsx',
}
const adminPaths = new Set<string>([pages.login, ...adminPages])
const storefrontPath = new RegExp(
  `^(${Object.values(publicPages)
    .map((path) => path.replace(':id', '[^/]+'))
    .join('|')})$`,
)

const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('SUMUP_')),
)
const shop = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
  stdio: 'inherit',
  env: {
    ...environment,
    PORT: String(shopPort),
    HOST: '127.0.0.1',
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://${host}:${port}`,
  },
})

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    if (!response.headersSent) response.writeHead(502)
    response.end(String(error))
  })
})
// Not vite.config.ts: that one describes the three builds.
const vite = await createVite({
  configFile: false,
  root: 'web',
  publicDir: false,
  appType: 'custom',
  plugins: [react(), tailwindcss()],
  server: { middlewareMode: true, hmr: { server } },
})
server.listen(port, host)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)
  process.once(signal, () => shop.kill('SIGTERM'))
shop.once('exit', (code) => process.exit(code ?? 0))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  if (request.method === 'GET' && adminPaths.has(path)) return sendAdminPage(path, response)
  if (request.method === 'GET' && storefrontPath.test(path))
    return sendStorefrontPage(request, response)
  if (path.startsWith('/api/')) return forward(request, response)
  vite.middlewares(request, response, () => void forward(request, response))
}

async function sendAdminPage(path: string, response: ServerResponse): Promise<void> {
  const html = await readFile('web/admin/index.html', 'utf8')
  // The page is served from other paths than its own folder.
  const rooted = html.replaceAll(/(href|src)="\.\//g, '$1="/admin/')
  const page = await vite.transformIndexHtml(path, rooted)
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}

const noTexts = {
  logoUrl: null,
  postalAddress: null,
  imprint: null,
  vatNumber: null,
  policies: {
    refund: null,
    shipping: null,
    privacy: null,
    terms: null,
    withdrawal: null,
    withdrawalFor: 'eu',
  },
}

/** The shop decides what is on the page; the data it put into it is rendered again, by the sources. */
async function sendStorefrontPage(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const upstream = await askShop(request)
  const chunks: Buffer[] = await Array.fromAsync(upstream)
  const html = Buffer.concat(chunks).toString()
  const {
    'content-security-policy': _policy,
    'content-length': _,
    etag: _etag,
    ...headers
  } = upstream.headers
  response.writeHead(upstream.statusCode ?? 502, headers)
  const { pageDataId } = await vite.ssrLoadModule('/storefront/shell/page-data.ts')
  const json = new RegExp(`id="${pageDataId}">(.*?)</script>`, 's').exec(html)?.[1]
  if (!json) return void response.end(html)
  const data = JSON.parse(json)
  // Policies, imprint and the other languages are not in the data: here the standard texts are shown, without a switch.
  data.shop = { ...noTexts, delivery: data.delivery ?? defaultDelivery, ...data.shop }
  data.spoken = { ...data.spoken, links: [] }
  const render = await vite.ssrLoadModule('/storefront/shell/render.tsx')
  const page =
    data.page === 'checkout'
      ? render.renderCheckout(data, storefrontAssets)
      : render.renderThankYou(data, storefrontAssets)
  response.end(await vite.transformIndexHtml(request.url ?? '/', page))
}

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const upstream = await askShop(request)
  response.writeHead(upstream.statusCode ?? 502, upstream.headers)
  upstream.pipe(response)
}

async function askShop(request: IncomingMessage): Promise<IncomingMessage> {
  await waitForShop()
  const { method, url } = request
  // Whole pages, since the sources may have changed.
  const { 'if-none-match': _known, ...headers } = request.headers
  const plain = { ...headers, 'accept-encoding': 'identity' }
  return new Promise((resolve, reject) => {
    const upstream = sendRequest({ port: shopPort, method, path: url, headers: plain }, resolve)
    upstream.on('error', reject)
    request.pipe(upstream)
  })
}

/** A request that meets a restart waits for its end. */
async function waitForShop(): Promise<void> {
  for (const deadline = Date.now() + maxRestartMs; !(await isListening()); await pause(pollMs))
    if (Date.now() > deadline) throw new Error('The shop did not start; its output says why.')
}

function isListening(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(shopPort, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
