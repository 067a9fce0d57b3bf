import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** Compressed once, at build time, so that serving a file costs nothing. */
const [pages = 'dist/pages'] = process.argv.slice(2)
const assets = join(pages, 'web', 'assets')
for (const name of readdirSync(assets)) {
  if (!/\.(js|css|svg)$/.test(name)) continue
  const file = join(assets, name)
  const bytes = readFileSync(file)
  writeFileSync(`${file}.br`, brotliCompressSync(bytes))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}
