import { fileURLToPath } from 'node:url'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * `vite build` makes both halves of the front: what browsers load (dist/web, with a manifest by which
 * the server finds the hashed files) and what the server renders with (dist/ssr, self-contained).
 */
export default defineConfig({
  root: here('web'),
  // web/public holds pages of the public, not files to copy as they are.
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
        rolldownOptions: { input: [here('web/admin/index.html'), here('web/public/public.css')] },
      },
    },
    ssr: {
      // Bundled whole, with the production React, so that it needs nothing from node_modules.
      define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      resolve: { noExternal: true },
      build: {
        outDir: '../dist/ssr',
        rolldownOptions: { input: here('web/public/render.tsx') },
      },
    },
  },
  builder: {},
})

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
