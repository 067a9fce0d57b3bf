import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { build, type Plugin } from 'vite'

/*
 * Bundles the server and SumUp's stand-in: Node loads some twenty files at a start instead of 690. What is imported on demand
 * stays in files of its own, and every line has its place in a source map, by which the log names it.
 */

const root = join(import.meta.dirname, '..')
/** Where the files will run, whatever folder they are built in. */
const place = join(root, 'dist', 'server')
const [folder = place] = process.argv.slice(2)

/** Loaded from node_modules when they are first needed; some have native parts or files of their own. */
const external = [
  '@node-rs/argon2',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'maxmind',
  'nodemailer',
  'sharp',
]

await build({
  configFile: false,
  root,
  logLevel: 'warn',
  publicDir: false,
  plugins: [sourcesAsModules()],
  ssr: { noExternal: true, external },
  build: {
    ssr: true,
    target: 'node24',
    outDir: folder,
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      input: { main: join(root, 'server/main.ts'), sandbox: join(root, 'sandbox/main.ts') },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        // As written: V8 makes faster code with what it knows to be constant.
        topLevelVar: false,
        sourcemapExcludeSources: true,
        sourcemapPathTransform: (source, map) => relative(place, resolve(dirname(map), source)),
      },
    },
  },
})

for (const name of readdirSync(folder)) if (name.endsWith('.map')) shortenMap(join(folder, name))

/** Lines are enough for a stack: the shop does nothing else while it reads a map, which takes much longer with columns. */
function shortenMap(path: string): void {
  const map: { mappings: string } = JSON.parse(readFileSync(path, 'utf8'))
  const lines = decode(map.mappings).map((segments) =>
    segments.filter((segment) => segment.length > 1).slice(0, 1),
  )
  writeFileSync(path, JSON.stringify({ ...map, mappings: encode(lines) }))
}

/** `import.meta.dirname` stays the folder of the source, and packages that are loaded as CommonJS are bundled too. */
function sourcesAsModules(): Plugin {
  return {
    name: 'sources-as-modules',
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: /import\.meta\.dirname|createRequire/ },
      handler: (code, id) => ({
        code: code
          .replaceAll(
            'import.meta.dirname',
            `(import.meta.dirname + ${JSON.stringify(`/${relative(place, dirname(id))}`)})`,
          )
          .replace('const load = createRequire(import.meta.url)', '')
          .replaceAll(/(?<!\.)\bload\((?=['"])/g, 'require('),
        map: null,
      }),
    },
  }
}
