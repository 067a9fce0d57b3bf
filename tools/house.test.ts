import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { writeEnvExample } from '#tools/env-example.ts'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const code = tracked.filter((file) => /\.(ts|tsx|mjs)$/.test(file))

test('rooms are at most four folders deep', () => {
  const deep = code.filter((file) => file.split('/').length - 1 > 4)
  assert.deepEqual(deep, [], 'put these files nearer to the door')
})

test('files have names of the shop', () => {
  const vague = /(^|\/)(utils?|helpers?|managers?|services?|common|misc|index)(\/|\.tsx?$)/
  assert.deepEqual(
    code.filter((file) => vague.test(file)),
    [],
    'name files after what they hold',
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

test('.env.example is what the settings say', () => {
  assert.equal(readFileSync('.env.example', 'utf8'), writeEnvExample(), 'run: npm run format')
})

test('rows of the ledger of sales are written in one file', () => {
  const writes =
    /\b(update|insert|delete)\(checkouts\)|\b(update|insert into|delete from)\s+checkouts\b/i
  const writers = code.filter(
    (file) =>
      /^(server|web|contract)\//.test(file) &&
      !/\.(test|spec)\.ts$|\/testing\//.test(file) &&
      writes.test(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(writers, ['server/checkouts/ledger.ts'])
})
