import { fileURLToPath } from 'node:url'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * `vite build` makes the front in three parts: what browsers load (dist/web, with a manifest by which the
 * server finds the hashed files), the script of the public pages beside it, and what the server renders
 * with (dist/ssr, self-contained).
 */
export default defineConfig({
  root: here('web'),
  publicDir: false,
  plugins: [react(), tailwindcss()],
  build: {
    emptyOutDir: true,
    // The content security policy allows files of our own, never inlined code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  environments: {
    client: {
      build: {
        outDir: '../dist/web',
        manifest: true,
        rolldownOptions: {
          input: [here('web/admin/index.html'), here('web/storefront/shell/public.css')],
        },
      },
    },
    // Apart from the back-office, so that a checkout loads one file of ours and nothing that only admins need.
    checkout: {
      consumer: 'client',
      build: {
        outDir: '../dist/web',
        emptyOutDir: false,
        manifest: '.vite/checkout-manifest.json',
        rolldownOptions: { input: here('web/storefront/checkout/main.tsx') },
      },
    },
    ssr: {
      // Bundled whole, with the production React, so that it needs nothing from node_modules.
      define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      resolve: { noExternal: true },
      build: {
        outDir: '../dist/ssr',
        rolldownOptions: { input: here('web/storefront/shell/render.tsx') },
      },
    },
  },
  builder: {},
})

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
