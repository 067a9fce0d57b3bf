import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { listPackages } from './licences.ts'
import { createSbom } from './sbom.ts'

test('the list of packages has all that the running shop consists of, and nothing that only builds or tests it', () => {
  const { components } = createSbom(listPackages())
  const listed = components.map(({ name, version }) => `${name}@${version}`)
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  for (const [name, version] of Object.entries(dependencies))
    assert.ok(listed.includes(`${name}@${version}`), name)
  for (const name of ['vite', 'typescript', 'playwright-core', 'oxlint'])
    assert.ok(!components.some((each) => each.name === name), name)
  // What these need in turn.
  for (const name of ['pg-protocol', 'find-my-way', '@img/sharp-libvips-linux-x64'])
    assert.ok(
      components.some((each) => each.name === name),
      name,
    )
})

test('a package is named so that scanners for vulnerabilities find it', () => {
  const integrity = `sha512-${Buffer.from('digest').toString('base64')}`
  const scoped = { name: '@fastify/cookie', version: '1.2.3', licence: 'MIT', isDev: false }
  assert.deepEqual(createSbom([{ ...scoped, integrity }]).components, [
    {
      type: 'library',
      name: '@fastify/cookie',
      version: '1.2.3',
      'bom-ref': 'pkg:npm/%40fastify/cookie@1.2.3',
      purl: 'pkg:npm/%40fastify/cookie@1.2.3',
      licenses: [{ expression: 'MIT' }],
      hashes: [{ alg: 'SHA-512', content: Buffer.from('digest').toString('hex') }],
    },
  ])
})
