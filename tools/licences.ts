import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/*
 * `npm run licences`: every package of the lock files has a licence that Till, under MIT, can be run and passed on with.
 * Those of other machines are checked too, by what the lock file says of them.
 */

/** Licences that ask for no more than their notice. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** What is accepted although it is not in the list: which packages, exactly which licence, and why. */
const exceptions: { packages: RegExp; licence: string; reason: string }[] = [
  {
    packages: /^@img\/sharp-(libvips-|win32-|wasm32$)/,
    licence: 'LGPL-3.0-or-later',
    reason:
      'libvips is a library of its own that sharp links at run time, unchanged and replaceable',
  },
  {
    packages: /^@ip-location-db\/dbip-country-mmdb$/,
    licence: 'SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)',
    reason:
      'data, not code; the credit that CC BY asks for is beside the countries (dbipAttribution)',
  },
  {
    packages: /^@expo-google-fonts\/noto-sans$/,
    licence: 'OFL-1.1',
    reason: 'a font, unchanged and not sold by itself; pictures drawn with it are free',
  },
  {
    packages: /^lightningcss(-|$)/,
    licence: 'MPL-2.0',
    reason: 'used unchanged while building; nothing of it is in what is served',
  },
  { packages: /^axe-core$/, licence: 'MPL-2.0', reason: 'used unchanged, by tests only' },
]

export type Package = {
  name: string
  version: string
  licence: string
  isDev: boolean
  /** As lock files have it: sha512-… */
  integrity?: string | undefined
}

type Manifest = { license?: string | { type?: string }; licenses?: { type?: string }[] }
type Entry = Manifest & { version?: string; dev?: boolean; integrity?: string }
type Lock = { packages: Record<string, Entry> }

/** The packages of both lock files, each version once. */
export function listPackages(folders = ['.', 'runtime']): Package[] {
  const found = folders.flatMap((folder) => {
    const lock: Lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
    return Object.entries(lock.packages)
      .filter(([path]) => path !== '')
      .map(([path, entry]) => {
        const file = join(folder, path, 'package.json')
        const installed: Manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
        return {
          name: path.split('node_modules/').at(-1) ?? path,
          version: entry.version ?? '',
          licence: readLicence(installed) ?? readLicence(entry) ?? 'unknown',
          isDev: entry.dev === true,
          integrity: entry.integrity,
        }
      })
  })
  return [...new Map(found.map((each) => [`${each.name}@${each.version}`, each])).values()]
}

/** Old packages have a list or an object instead of a text. */
function readLicence({ license, licenses }: Manifest): string | undefined {
  const named = typeof license === 'object' ? license.type : license
  const listed = licenses?.flatMap(({ type }) => type ?? [])
  return named || (listed?.length ? listed.join(' OR ') : undefined)
}

/** Why the package is accepted, or undefined if it is not. */
export function judge({ name, licence }: Pick<Package, 'name' | 'licence'>): string | undefined {
  const covering = exceptions.filter(({ packages }) => packages.test(name))
  const isAllowed = (one: string) =>
    allowed.has(one) || covering.some((exception) => exception.licence === one)
  if (covering.some((exception) => exception.licence === licence)) return covering[0]?.reason
  // SPDX: of "A OR B" one is enough, of "A AND B" all count. Nested expressions are left to a person.
  const text = licence.replace(/^\((.*)\)$/, '$1')
  if (/[()]/.test(text)) return undefined
  const isFree = text.split(' OR ').some((choice) => choice.split(' AND ').every(isAllowed))
  if (!isFree) return undefined
  return text.split(/ OR | AND /).some((one) => !allowed.has(one)) && covering[0]
    ? covering[0].reason
    : 'allowed'
}

export function describeLicences(packages: Package[]): { lines: string[]; refused: Package[] } {
  const byLicence = Object.entries(Object.groupBy(packages, ({ licence }) => licence))
  const counts = byLicence
    .map(([licence, group = []]) => ({
      licence,
      all: group.length,
      production: group.filter(({ isDev }) => !isDev).length,
    }))
    .toSorted((a, b) => b.all - a.all || a.licence.localeCompare(b.licence))
  const reasons = new Set(packages.map((each) => judge(each) ?? 'allowed'))
  return {
    lines: [
      'packages  to run it  licence',
      ...counts.map(
        ({ licence, all, production }) =>
          `${String(all).padStart(8)}  ${String(production).padStart(9)}  ${licence}`,
      ),
      ...exceptions
        .filter(({ reason }) => reasons.has(reason))
        .map(
          ({ licence, packages: names, reason }) =>
            `accepted: ${licence}, ${names.source}: ${reason}`,
        ),
    ],
    refused: packages.filter((each) => judge(each) === undefined),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { lines, refused } = describeLicences(listPackages())
  for (const line of lines) console.log(line)
  for (const { name, version, licence } of refused)
    console.error(`refused: ${name}@${version} has the licence ${licence}`)
  console.log(`${refused.length} packages refused`)
  process.exit(refused.length > 0 ? 1 : 0)
}
