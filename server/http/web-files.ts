import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CheckoutPageData, PageAssets, ThankYouPageData } from '#contract/public-pages.ts'
import { CannotStart } from '#server/cannot-start.ts'

const dist = join(import.meta.dirname, '..', '..', 'dist')
const noncePlace = '__CSP_NONCE__'

/** The built front of the shop, read once at start. */
export type WebFiles = {
  /** Files with their content's hash in the name: cached for good. */
  assetsFolder: string
  adminPage: (nonce: string) => string
  notFoundPage: string
  checkoutPage: (data: CheckoutPageData, nonce: string) => string
  thankYouPage: (data: ThankYouPageData, nonce: string) => string
  /** A page that says that there is no such product or order. */
  missingPage: (text: 'Product not found' | 'Order not found', nonce: string) => string
}

/** What web/storefront/shell/render.tsx offers once it is built. */
type Render = {
  renderNotFound: (assets: { stylesheet: string }) => string
  renderCheckout: (data: CheckoutPageData, assets: PageAssets) => string
  renderThankYou: (data: ThankYouPageData, assets: PageAssets) => string
  renderMissing: (about: { text: string }, assets: PageAssets) => string
}

type Manifest = Record<string, { file: string; css?: string[] } | undefined>

const root = join(dist, 'web')

export async function readWebFiles(): Promise<WebFiles> {
  try {
    const adminHtml = await readFile(join(root, 'admin', 'index.html'), 'utf8')
    const manifest = {
      ...(await readManifest('manifest')),
      ...(await readManifest('checkout-manifest')),
    }
    const render: Render = await import(pathToFileURL(join(dist, 'ssr', 'render.js')).href)
    const plain = `/${manifest['storefront/shell/public.css']?.file}`
    const checkout = manifest['storefront/checkout/main.tsx']
    const assets = (nonce: string): PageAssets => ({
      stylesheet: checkout?.css?.[0] ? `/${checkout.css[0]}` : plain,
      script: checkout ? `/${checkout.file}` : null,
      nonce,
    })
    return {
      assetsFolder: join(root, 'assets'),
      adminPage: (nonce) => adminHtml.replaceAll(noncePlace, nonce),
      notFoundPage: render.renderNotFound({ stylesheet: plain }),
      checkoutPage: (data, nonce) => render.renderCheckout(data, assets(nonce)),
      thankYouPage: (data, nonce) => render.renderThankYou(data, assets(nonce)),
      missingPage: (text, nonce) => render.renderMissing({ text }, assets(nonce)),
    }
  } catch (cause) {
    throw new CannotStart('The web part is not built. Start the shop with: npm start', { cause })
  }
}

/** By which source each built file is found. */
async function readManifest(name: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, '.vite', `${name}.json`), 'utf8'))
}
