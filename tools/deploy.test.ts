import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { apiRoutes } from '#contract/paths.ts'
import { isSecret, variableNames, type VariableName } from '#server/environment-variables.ts'

const read = (file: string) => readFileSync(file, 'utf8')

function parseYaml(file: string) {
  return parseAllDocuments(read(file)).map((document) => {
    assert.deepEqual([...document.errors, ...document.warnings], [], file)
    return document.toJS({ maxAliasCount: 10 })
  })
}

const known = new Set<string>([
  ...variableNames.flatMap((name: VariableName) =>
    isSecret(name) ? [name, `${name}_FILE`] : [name],
  ),
  // Node's own.
  'NODE_ENV',
  'NODE_COMPILE_CACHE',
])

test('every deployment file in YAML can be read', () => {
  const files = globSync(['deploy/**/*.{yml,yaml}', '.github/**/*.yml'])
  assert.ok(files.length >= 6)
  for (const file of files) assert.ok(parseYaml(file).length > 0)
})

test('deployment files name only settings that exist', () => {
  const [compose] = parseYaml('deploy/compose.yml')
  const manifests = parseYaml('deploy/kubernetes/till.yaml')
  const unit = read('deploy/till.service')
  const dockerfile = read('deploy/Dockerfile')
  const secretComment = /# (DATABASE_URL,[^-]*)- secretRef/s.exec(
    read('deploy/kubernetes/till.yaml'),
  )
  const named = [
    ...Object.keys(compose.services.shop.environment),
    ...manifests.flatMap(({ kind, data }) => (kind === 'ConfigMap' ? Object.keys(data) : [])),
    ...(secretComment?.[1]?.match(/[A-Z][A-Z0-9_]+/g) ?? []),
    ...[...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, text = '']) =>
      text.split(' ').map((pair) => pair.split('=')[0] ?? ''),
    ),
    ...[...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, text = '']) =>
      text.split(' ').map((pair) => pair.split('=')[0] ?? ''),
    ),
  ]
  assert.ok(named.length > 30)
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  )
})

test('images and actions have an exact version, so that nobody else decides what runs', () => {
  const dockerfile = read('deploy/Dockerfile')
  const defaults = new Map(
    [...dockerfile.matchAll(/^ARG (\w+)=(\S+)/gm)].map(([, name, value]) => [name, value]),
  )
  const images = [
    ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) =>
      image.replace(/^\$\{(\w+)\}$/, (variable, name) => defaults.get(name) ?? variable),
    ),
    ...[...read('deploy/compose.yml').matchAll(/image: (\S+)/g)].map(([, image = '']) => image),
  ]
  assert.ok(images.length >= 6)
  assert.deepEqual(
    images.filter((image) => !/:\d+\.\d+/.test(image)),
    [],
  )
  const actions = globSync('.github/workflows/*.yml').flatMap((file) =>
    [...read(file).matchAll(/uses: (.+)/g)].map(([, action = '']) => action),
  )
  assert.ok(actions.length >= 4)
  assert.deepEqual(
    actions.filter((action) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
    [],
  )
})

test('nginx lets no client name the host of the shop', () => {
  assert.match(read('deploy/nginx.conf'), /proxy_set_header X-Forwarded-Host "";/)
})

test('every variable of the compose file is in its example', () => {
  const used = new Set(
    [...read('deploy/compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name ?? ''),
  )
  const offered = new Set(
    [...read('deploy/compose.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name ?? ''),
  )
  assert.deepEqual([...used].toSorted(), [...offered].toSorted())
})

test('what the image copies exists, and is not ignored', () => {
  const ignored = read('.dockerignore').split('\n')
  const sources = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(
    ([, text = '']) => text.split(' ').slice(0, -1),
  )
  assert.ok(sources.length > 8)
  for (const source of sources) {
    assert.ok(existsSync(source), `${source} does not exist`)
    assert.ok(!ignored.includes(source.split('/')[0] ?? ''), `${source} is in .dockerignore`)
  }
})

test('nothing that is secret or local gets into the image', () => {
  const ignored = read('.dockerignore').split('\n')
  for (const name of ['.env', '.git', 'data', 'node_modules'])
    assert.ok(ignored.includes(name), name)
})

test('probes and proxies ask for routes that exist', () => {
  const routes = new Set<string>(Object.values(apiRoutes))
  for (const file of [
    'deploy/kubernetes/till.yaml',
    'deploy/Caddyfile',
    'deploy/nginx.conf',
    'deploy/Dockerfile',
  ]) {
    const paths = read(file).match(/\/(api\/[\w/-]+|metrics)\b/g) ?? []
    assert.deepEqual(
      paths.filter((path) => !routes.has(path)),
      [],
      file,
    )
  }
})

test('pods are given longer to end than they take to drain and close', () => {
  const manifests = parseYaml('deploy/kubernetes/till.yaml')
  const config = manifests.find(({ kind }) => kind === 'ConfigMap')
  const deployment = manifests.find(({ kind }) => kind === 'Deployment')
  const closeSeconds = 15
  assert.ok(
    deployment.spec.template.spec.terminationGracePeriodSeconds >
      Number(config.data.DRAIN_SECONDS) + closeSeconds,
  )
})

test('in Kubernetes only the ingress reaches the port of the shop', () => {
  const manifests = parseYaml('deploy/kubernetes/till.yaml')
  const policy = manifests.find(({ kind }) => kind === 'NetworkPolicy').spec
  const deployment = manifests.find(({ kind }) => kind === 'Deployment')
  assert.deepEqual(policy.podSelector.matchLabels, deployment.spec.template.metadata.labels)
  const [rule, ...more] = policy.ingress
  assert.deepEqual(more, [])
  assert.deepEqual(rule.ports, [
    { port: deployment.spec.template.spec.containers[0].ports[0].name },
  ])
  assert.deepEqual(
    rule.from.map((from: object) => Object.keys(from)),
    [['namespaceSelector']],
  )
})
