import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatApiReference } from '#tools/api-reference.ts'
import { formatEnvExample } from '#tools/env-example.ts'
import { listSourceFiles, readImports } from '#tools/imports.ts'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const code = tracked.filter((file) => /\.(ts|tsx|mjs)$/.test(file))

/** What every folder of the server may use. */
const serverBase = ['contract', 'server', 'server/db', 'server/http']

/** What every screen of the back-office may use. */
const adminBase = [
  'contract',
  'web',
  'web/ui',
  'web/admin',
  'web/admin/session',
  'web/admin/news',
  'web/admin/shell',
]

/**
 * Which folders each folder may import besides itself, inner folders first: 'server' and 'web/admin' are the files directly
 * in them. Tests are free, and so are e2e, proof and tools.
 */
const allowedImports: Record<string, string[]> = {
  contract: [],
  'server/db': ['contract', 'server'],
  'server/http': serverBase,
  'server/admin': serverBase,
  'server/catalog': serverBase,
  'server/discounts': [...serverBase, 'server/catalog'],
  'server/uploads': serverBase,
  'server/sumup': serverBase,
  // Decisions about money: no database, no calls, no server. The test below holds that these are types only.
  'server/payments': ['contract', 'server/db', 'server/sumup'],
  'server/backup': [...serverBase, 'server/uploads'],
  'server/analytics': [...serverBase, 'server/catalog'],
  'server/orders': [...serverBase, 'server/analytics', 'server/catalog'],
  'server/mail': [...serverBase, 'server/orders'],
  'server/news': serverBase,
  'server/paper': [...serverBase, 'server/orders'],
  'server/checkouts': [
    ...serverBase,
    'server/admin',
    'server/analytics',
    'server/catalog',
    'server/discounts',
    'server/orders',
    'server/payments',
    'server/sumup',
  ],
  'server/links': [
    ...serverBase,
    'server/catalog',
    'server/checkouts',
    'server/paper',
    'server/sumup',
    'server/uploads',
  ],
  'server/checks': [
    ...serverBase,
    'server/admin',
    'server/backup',
    'server/catalog',
    'server/checkouts',
    'server/mail',
    'server/orders',
    'server/sumup',
    'server/uploads',
  ],
  'server/shop-settings': [
    ...serverBase,
    'server/admin',
    'server/checks',
    'server/mail',
    'server/sumup',
  ],
  'server/privacy': [
    ...serverBase,
    'server/admin',
    'server/analytics',
    'server/checkouts',
    'server/mail',
    'server/orders',
    'server/payments',
  ],
  server: ['contract'],
  'web/ui': ['contract', 'web'],
  'web/storefront': ['contract', 'web', 'web/ui'],
  'web/admin/session': ['contract', 'web', 'web/ui', 'web/admin'],
  'web/admin/shell': [
    'contract',
    'web',
    'web/ui',
    'web/admin',
    'web/admin/session',
    'web/admin/news',
  ],
  'web/admin/news': ['contract', 'web', 'web/ui', 'web/admin'],
  'web/admin/uploads': adminBase,
  'web/admin/settings': [...adminBase, 'web/admin/uploads'],
  'web/admin/products': [...adminBase, 'web/admin/settings', 'web/admin/uploads'],
  'web/admin/analytics': [...adminBase, 'web/admin/products'],
  'web/admin/orders': [
    ...adminBase,
    'web/admin/analytics',
    'web/admin/products',
    'web/admin/settings',
  ],
  'web/admin/account': adminBase,
  'web/admin/login': [...adminBase, 'web/admin/account'],
  'web/admin/palette': [...adminBase, 'web/admin/orders', 'web/admin/products'],
  'web/admin': ['contract', 'web', 'web/ui'],
  web: ['contract'],
  sandbox: [],
}
/** They put the folders together: they import every folder, and no folder imports them. */
const entryPoints = [
  'server/main.ts',
  'server/app.ts',
  'server/shop.ts',
  'server/calls.ts',
  'server/start-message.ts',
  'web/admin/main.tsx',
  'web/admin/screens.ts',
]

/** Packages that belong to the other side. */
const forbiddenPackages: Record<string, (name: string) => boolean> = {
  contract: (name) => isBuiltin(name) || /^(react|fastify|pg|drizzle-orm)\b/.test(name),
  web: (name) => isBuiltin(name) || /^(fastify|pg|drizzle-orm)\b/.test(name),
  server: (name) => /^react\b/.test(name),
}

const isTestCode = (file: string) => /\.(test|spec)\.ts$|\/testing\//.test(file)
const runtimeOf = (file: string) => file.split('/')[0] ?? ''
const ownerOf = (file: string) =>
  Object.keys(allowedImports).find((folder) => file.startsWith(`${folder}/`)) ?? runtimeOf(file)
const imports = listSourceFiles()
  .filter((file) => !isTestCode(file))
  .flatMap((file) => readImports(file).map((imported) => ({ file, ...imported })))

test('folders import each other in one direction', () => {
  const wrong = imports.filter(({ file, target, isFile }) => {
    const from = ownerOf(file)
    const allowed = allowedImports[from]
    if (!isFile || !allowed || entryPoints.includes(file)) return false
    const to = ownerOf(target)
    return (to !== from && !allowed.includes(to)) || entryPoints.includes(target)
  })
  assert.deepEqual(listImports(wrong), [], 'see allowedImports in tools/structure.test.ts')
})

test('the contract, the browser and the server use no package of another side', () => {
  const wrong = imports.filter(
    ({ file, target, isFile }) => !isFile && forbiddenPackages[runtimeOf(file)]?.(target),
  )
  assert.deepEqual(listImports(wrong), [])
})

test('what tests are built with is imported by tests only', () => {
  const wrong = imports.filter(
    ({ file, target, isFile }) =>
      ['contract', 'server', 'sandbox', 'web'].includes(runtimeOf(file)) &&
      isFile &&
      /\.(test|spec)\.ts$|\/testing\//.test(target),
  )
  assert.deepEqual(listImports(wrong), [])
})

function listImports(wrong: { file: string; target: string }[]): string[] {
  return wrong.map(({ file, target }) => `${file} imports ${target}`)
}

test('secrets and backups beside the code are not committed by mistake', () => {
  const ignored = (files: string[]) =>
    spawnSync('git', ['check-ignore', '--no-index', ...files], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter(Boolean)
  const secret = ['.env', '.env.local', '.env.production', 'deploy/compose.env', 'till.backup']
  assert.deepEqual(ignored(secret), secret)
  assert.deepEqual(ignored(['.env.example', 'deploy/compose.env.example']), [])
})

test('folders are at most four deep', () => {
  const deep = code.filter((file) => file.split('/').length - 1 > 4)
  assert.deepEqual(deep, [], 'move these files up')
})

test('no file or folder has a name that says nothing', () => {
  const vague = /(^|\/)(utils?|helpers?|managers?|services?|common|misc|index)(\/|\.tsx?$)/
  assert.deepEqual(
    code.filter((file) => vague.test(file)),
    [],
    'name files after what they hold',
  )
})

test('every @source of a stylesheet finds files', () => {
  const stylesheets = globSync('web/**/*.css')
  assert.ok(stylesheets.length > 0)
  const patterns = stylesheets.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^@source '(.+)';$/gm)].map(([, pattern = '']) =>
      join(file, '..', pattern),
    ),
  )
  assert.deepEqual(
    patterns.filter((pattern) => globSync(pattern).length === 0),
    [],
    'Tailwind ignores a folder that was moved, and its classes are lost',
  )
})

test('every optional dependency named in a lock file has its entry there', () => {
  for (const file of ['package-lock.json', 'runtime/package-lock.json']) {
    const lock: { packages: Record<string, { optionalDependencies?: Record<string, string> }> } =
      JSON.parse(readFileSync(file, 'utf8'))
    const present = new Set(
      Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)),
    )
    const named = Object.values(lock.packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}),
    )
    assert.deepEqual(
      named.filter((name) => !present.has(name)),
      [],
      `${file}: npm ci would fail elsewhere`,
    )
  }
})

test('lock files carry no download addresses', () => {
  for (const file of ['package-lock.json', 'runtime/package-lock.json']) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /"resolved"/)
  }
})

test('every direct dependency is pinned exactly', () => {
  for (const file of ['package.json', 'runtime/package.json']) {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    for (const [name, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    })) {
      assert.match(String(version), /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} in ${file}`)
    }
  }
})

test('.env.example lists every setting', () => {
  assert.equal(readFileSync('.env.example', 'utf8'), formatEnvExample(), 'run: npm run format')
})

test('docs/api.md says what the shop’s calls take and answer', () => {
  assert.equal(readFileSync('docs/api.md', 'utf8'), formatApiReference(), 'run: npm run format')
})

test('an effect returns nothing but its cleanup', () => {
  // React would call what a short arrow function returns. Some calls return a promise in newer browsers, whatever their
  // types say, so neither types nor the linter find it.
  const short = /\buse\w*Effect\(\s*(async\b|\(\)\s*=>\s*(?!\{|\(\)\s*=>|\s))/
  const wrong = code.filter(
    (file) => file.startsWith('web/') && short.test(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(wrong, [], 'write the effect with braces')
})

test('decisions about money use types of the database and of SumUp, and nothing else of the server', () => {
  const wrong = code
    .filter((file) => file.startsWith('server/payments/') && !isTestCode(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^import\b[^']*'(#server\/[^']+)'$/gm)]
        .filter(([line = '', target = '']) => !isTypeOf(line, target))
        .map(([line]) => `${file}: ${line}`),
    )
  assert.deepEqual(wrong, [])
})

const isTypeOf = (line: string, target: string) =>
  line.startsWith('import type') && /^#server\/(db\/[\w-]*schema|sumup\/answers)\.ts$/.test(target)

/** Who writes rows that money depends on, besides migrations. */
const writers: [tables: string, files: string[]][] = [
  ['checkouts', ['server/checkouts/ledger.ts', 'server/checkouts/write-record.ts']],
  [
    'payments',
    [
      // The sweep's claims, and tests.
      'server/checkouts/ledger.ts',
      'server/checkouts/write-record.ts',
    ],
  ],
  // They are deleted with their payments.
  ['refunds', ['server/checkouts/write-record.ts']],
  [
    'review_entries|reviewEntries',
    [
      'server/checkouts/ledger.ts',
      'server/checkouts/write-record.ts',
      // Notes are erased.
      'server/privacy/customer-data.ts',
      'server/privacy/retention.ts',
    ],
  ],
]

test('rows of sales, payments, refunds and review entries are written in few files', () => {
  const sources = code
    .filter((file) => /^(server|web|contract)\//.test(file) && !isTestCode(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  for (const [tables, files] of writers) {
    const writes = new RegExp(
      `\\b(update|insert|delete)\\((${tables})\\b` +
        `|\\b(update|insert into|delete from)\\s+(${tables})\\b`,
      'i',
    )
    const found = sources.filter(({ text }) => writes.test(text)).map(({ file }) => file)
    assert.deepEqual(found.toSorted(), files, tables)
  }
  const unnamed = sources.filter(({ text }) =>
    /\b(update|insert into) \$\{table\}|\b(update|insert)\(table\b/.test(text),
  )
  assert.deepEqual(
    unnamed.map(({ file }) => file),
    [],
  )
})

/** Words that no text uses, with the one that all use. */
const replacedWords: [RegExp, string][] = [
  [/\be-mail/i, 'email'],
  [
    /\b(sign|signs|signed|signing)[ -](in|out)\b(?!-failed|-dialog|\.(test\.)?ts)/i,
    'log in, log out',
  ],
  [/\bfold(s|ed)? away\b/i, 'hide'],
  [/\bmake the order\b|\border made\b/i, 'create order'],
  [/\bdealt with\b/i, 'resolved'],
]

/** Not texts: stored names of what happened, and words that people may type to find something. */
const isOtherUse = (file: string, line: string) =>
  file === 'web/admin/shell/places.ts' || /'sign-(in|out)'|\bwords: '/.test(line)

/** Documents about the product as it is; changelog and decisions tell what was. */
const isDocument = (file: string) => /^(docs\/[^/]+|README|SECURITY)(\.md)?$/.test(file)

test('texts use one word for one thing', () => {
  const isText = (file: string) =>
    (/^(contract|server|tools|web)\//.test(file) &&
      !isTestCode(file) &&
      // English only.
      !/^contract\/texts\/\w+\/(?!en)\w\w\.ts$/.test(file)) ||
    isDocument(file)
  const wrong = tracked
    .filter((file) => /\.(ts|tsx|mjs|md)$/.test(file) && isText(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line) && !isOtherUse(file, line))
        .flatMap((line) =>
          replacedWords
            .filter(([pattern]) => pattern.test(line.replace(/ \/\/ .*| \/\*.*|`sign-.*/, '')))
            .map(([, word]) => `${file}: ${line.trim().slice(0, 80)} (use: ${word})`),
        ),
    )
  assert.deepEqual(wrong, [])
})
