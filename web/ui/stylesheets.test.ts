import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

test('every path that a stylesheet takes class names from exists', () => {
  const sources = globSync('web/**/*.css').flatMap((stylesheet) =>
    [...readFileSync(stylesheet, 'utf8').matchAll(/@source '(.+)'/g)]
      .flatMap(([, path = '']) => expandNames(path))
      .map((path) => join(dirname(stylesheet), path)),
  )
  assert.ok(sources.length > 5)
  // Tailwind ignores a path that matches nothing: the page would lose its styles without a word.
  assert.deepEqual(
    sources.filter((source) => globSync(source).length === 0),
    [],
  )
})

/** 'ui/{logo,receipt}.tsx' as two paths, because each of them must exist. */
function expandNames(path: string): string[] {
  const [whole, names] = /\{(.+)\}/.exec(path) ?? []
  if (!whole || !names) return [path]
  return names.split(',').map((name) => path.replace(whole, name))
}
