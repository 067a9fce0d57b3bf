import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  join('sandbox', 'README.md'),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/** The targets of links, pictures and HTML; code is left out. */
function listTargets(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')
  const found = prose.matchAll(/\]\(([^)\s]+)[^)]*\)|(?:src|href)="([^"]+)"|^\[[^\]]+\]: (\S+)/gm)
  return [...found].map(([, link, attribute, reference]) => link ?? attribute ?? reference ?? '')
}

/** As on GitHub. */
function listAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )
}

for (const document of documents)
  test(`every local link and picture of ${document} exists`, () => {
    const text = readFileSync(join(root, document), 'utf8')
    const missing = listTargets(text).filter((target) => {
      if (/^[a-z]+:/i.test(target)) return false
      const [path = '', anchor] = target.split('#')
      const file = path ? join(root, dirname(document), decodeURIComponent(path)) : undefined
      if (file && !existsSync(file)) return true
      if (!anchor || (file && !file.endsWith('.md'))) return false
      return !listAnchors(file ? readFileSync(file, 'utf8') : text).includes(anchor)
    })
    assert.deepEqual(missing, [])
  })

/** Tables and addresses cannot be wrapped. */
const cannotBeWrapped = /^\|.*\|$|https?:\/\/\S{80}/

for (const document of documents)
  test(`lines of ${document} have at most 100 characters, and none is left of a merge`, () => {
    const lines = readFileSync(join(root, document), 'utf8').split('\n')
    const long = lines.filter((line) => line.length > 100 && !cannotBeWrapped.test(line))
    assert.deepEqual(long, [])
    assert.deepEqual(
      lines.filter((line) => /^(<{7}|={7}|>{7}|(> ){7})/.test(line)),
      [],
    )
  })

test('a decision fits on a page', () => {
  const decisions = documents.filter((name) => /decisions.(?!README)/.test(name))
  assert.ok(decisions.length > 0)
  const isLong = (name: string) => readFileSync(join(root, name), 'utf8').split('\n').length > 41
  assert.deepEqual(decisions.filter(isLong), [])
})

test('CONTRIBUTING and the API page stay short', () => {
  const most = { 'CONTRIBUTING.md': 12_600, 'docs/api.md': 30_000 }
  for (const [name, bytes] of Object.entries(most))
    assert.ok(readFileSync(join(root, name)).length <= bytes, `${name}: at most ${bytes} bytes`)
})
