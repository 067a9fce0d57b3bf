import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

/** On a phone with a poor connection ten kilobytes are seconds. */
const maxBytes = 85 * 1024

test('all scripts of the checkout together are at most 85 kB, compressed', () => {
  const manifest: Record<string, { file: string }> = JSON.parse(
    readFileSync('dist/web/.vite/checkout-manifest.json', 'utf8'),
  )
  const files = new Set(Object.values(manifest).map(({ file }) => file))
  const scripts = [...files].filter((file) => file.endsWith('.js'))
  assert.ok(scripts.length > 0)
  const bytes = scripts.reduce(
    (sum, file) => sum + gzipSync(readFileSync(`dist/web/${file}`)).length,
    0,
  )
  assert.ok(bytes <= maxBytes, `${bytes} bytes; look at dist/web/.vite/checkout-manifest.json`)
})
