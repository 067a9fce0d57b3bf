import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Rollup } from 'vite'
import type { Row } from '#tools/bench/report.ts'

const maxCheckoutKb = 88
const maxProductionMb = 160

/** What buyers download, and what an installation takes. */
export async function benchSizes(): Promise<Row[]> {
  const checkout = measurePacked(listCheckoutScripts())
  const react = await measureReact()
  const { production, all } = measurePackages()
  return [
    {
      what: 'checkout scripts, as browsers get them',
      measured: formatKb(checkout),
      limit: `react + react-dom ${formatKb(react)}`,
      ratio: checkout / react,
      aim: `≤ ${maxCheckoutKb} kB`,
      isMet: checkout <= maxCheckoutKb * 1024,
      before: '71.7 kB',
    },
    {
      what: 'packages of a shop in production',
      measured: formatMb(production),
      limit: `all packages ${formatMb(all)}`,
      ratio: production / all,
      aim: `≤ ${maxProductionMb} MB`,
      isMet: production <= maxProductionMb * 1e6,
      before: 'all 469 MB',
    },
  ]
}

const formatKb = (bytes: number) => `${(bytes / 1024).toFixed(1)} kB`
const formatMb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** Paths of all of them, those that load later too. */
export function listCheckoutScripts(): string[] {
  const manifest: Record<string, { file: string }> = JSON.parse(
    readFileSync('dist/pages/web/.vite/checkout-manifest.json', 'utf8'),
  )
  const files = new Set(Object.values(manifest).map(({ file }) => file))
  return [...files]
    .filter((file) => file.endsWith('.js'))
    .map((file) => join('dist/pages/web', file))
}

/** In bytes, with Brotli, which every current browser takes. */
export function measurePacked(paths: string[]): number {
  return paths.reduce((sum, path) => sum + readFileSync(`${path}.br`).length, 0)
}

/** The least that a page with React downloads: it alone, built as our pages are. */
async function measureReact(): Promise<number> {
  // Loading it takes seconds, and few benches need it.
  const { build } = await import('vite')
  // Within this folder, so that the packages are found.
  const cache = join('node_modules', '.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'till-bench-'))
  try {
    const input = join(folder, 'react.js')
    await writeFile(
      input,
      `import { createElement } from 'react'
      import { createRoot } from 'react-dom/client'
      createRoot(document.body).render(createElement('main'))`,
    )
    const built = (await build({
      configFile: false,
      logLevel: 'error',
      build: { write: false, rolldownOptions: { input } },
    })) as Rollup.RollupOutput
    return built.output.reduce(
      (sum, file) => sum + (file.type === 'chunk' ? brotliCompressSync(file.code).length : 0),
      0,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** In bytes. Of production without what NODE_ENV=production removes after installing: source maps and types. */
function measurePackages(): { production: number; all: number } {
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  )
  const sums = { production: 0, all: 0 }
  for (const [path, { dev }] of Object.entries(packages)) {
    if (path === '' || !existsSync(path)) continue
    for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name)
      // Packages within packages have entries of their own.
      if (!entry.isFile() || file.slice(path.length).includes('node_modules')) continue
      const { size } = statSync(file)
      sums.all += size
      if (!dev && !/\.(map|d\.[cm]?ts)$/.test(file)) sums.production += size
    }
  }
  return sums
}
