import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CannotStart } from '#server/cannot-start.ts'

const dist = join(import.meta.dirname, '..', '..', 'dist')
const noncePlace = '__CSP_NONCE__'

/** The built front of the shop, read once at start. */
export type WebFiles = {
  /** Files with their content's hash in the name: cached for good. */
  assetsFolder: string
  /** Files with a fixed name, such as the icon. */
  rootFolder: string
  adminPage: (nonce: string) => string
  notFoundPage: string
}

export async function readWebFiles(): Promise<WebFiles> {
  const rootFolder = join(dist, 'web')
  try {
    const adminHtml = await readFile(join(rootFolder, 'admin', 'index.html'), 'utf8')
    const manifest = JSON.parse(await readFile(join(rootFolder, '.vite', 'manifest.json'), 'utf8'))
    const render = await import(pathToFileURL(join(dist, 'ssr', 'render.js')).href)
    return {
      assetsFolder: join(rootFolder, 'assets'),
      rootFolder,
      adminPage: (nonce) => adminHtml.replaceAll(noncePlace, nonce),
      notFoundPage: render.renderNotFound({ stylesheet: `/${manifest['public/public.css'].file}` }),
    }
  } catch (cause) {
    throw new CannotStart('The web part is not built. Start the shop with: npm start', { cause })
  }
}
