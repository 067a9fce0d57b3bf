import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { listPackages, type Package } from './licences.ts'

/*
 * `npm run sbom [-- FILE]`: what the running shop consists of, as CycloneDX, from the lock files alone: so it is the same on
 * every machine, and names the packages of all of them. `npm sbom` left a sixth of them out, zod and pg-protocol among them.
 */

export function createSbom(packages: Package[]) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'till', 'bom-ref': 'till' } },
    components: packages.filter(({ isDev }) => !isDev).map(describePackage),
  }
}

function describePackage({ name, version, licence, integrity }: Package) {
  // https://github.com/package-url/purl-spec: of a scoped name the @ is encoded.
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [algorithm, digest] = integrity?.split('-') ?? []
  return {
    type: 'library',
    name,
    version,
    'bom-ref': purl,
    purl,
    ...(licence !== 'unknown' && { licenses: [{ expression: licence }] }),
    ...(algorithm === 'sha512' &&
      digest && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      }),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const list = createSbom(listPackages())
  const json = `${JSON.stringify(list, undefined, 2)}\n`
  const [file] = process.argv.slice(2)
  if (file) {
    writeFileSync(file, json)
    console.log(`${list.components.length} packages are listed in ${file}`)
  } else process.stdout.write(json)
}
