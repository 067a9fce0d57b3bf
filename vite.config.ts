import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** run.mjs builds them elsewhere and moves them to dist/pages when they are complete. */
// oxlint-disable-next-line node/no-process-env -- a setting of the build, not of the shop
const pages = process.env.PAGES_FOLDER ?? here('dist/pages')

const scripts = /\.(mjs|js|ts|tsx)$/
/** For the screens of orders and fulfilment. */
const orderLists =
  /web[\\/]admin[\\/]orders[\\/](?!review-actions|detail-fields|order-refunds|refund-|paper)|@tanstack[\\/](virtual-core|react-virtual)[\\/]/
/** Only some dialogs need these. */
const formParts =
  /node_modules[\\/](zod|react-hook-form|@hookform|uqr)[\\/]|web[\\/]admin[\\/]uploads[\\/]|(qr-code|refusals|use-form-field|zod-config|review-actions)\.ts$|detail-fields\.tsx$/

/**
 * `vite build` builds three environments: the admin (dist/pages/web, with a manifest by which the server finds the hashed
 * files), the storefront's script beside it, and the storefront's server rendering (dist/pages/ssr).
 */
export default defineConfig({
  root: here('web'),
  publicDir: false,
  plugins: [react(), tailwindcss()],
  build: {
    emptyOutDir: true,
    // The content security policy allows our own files, but no inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // wouter's way to a function that React has itself.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  environments: {
    client: {
      build: {
        outDir: join(pages, 'web'),
        manifest: true,
        rolldownOptions: {
          input: here('web/admin/index.html'),
          output: {
            // Few files: each costs a request, and what its headers weigh.
            codeSplitting: {
              groups: [
                { name: 'shell', test: scripts, tags: ['$initial'], priority: 2 },
                { name: 'parts', test: isPart, minShareCount: 2, priority: 1 },
                { name: 'order-lists', test: orderLists, minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    // Built separately from the admin, so that a checkout loads one file and shares no chunks.
    checkout: {
      consumer: 'client',
      build: {
        outDir: join(pages, 'web'),
        emptyOutDir: false,
        manifest: '.vite/checkout-manifest.json',
        rolldownOptions: { input: here('web/storefront/checkout/main.tsx') },
      },
    },
    ssr: {
      // Bundled with the production React, so that it needs nothing from node_modules.
      define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      resolve: { noExternal: true },
      build: {
        outDir: join(pages, 'ssr'),
        rolldownOptions: { input: here('web/storefront/shell/render.tsx') },
      },
    },
  },
  builder: {},
})

/** What several screens are made of. */
function isPart(file: string): boolean {
  const isApart = !scripts.test(file) || orderLists.test(file) || formParts.test(file)
  return !isApart && existsSync(file) && !readFileSync(file, 'utf8').includes('import { z } from')
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
