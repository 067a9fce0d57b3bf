import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { listDependencies, readImports } from '#tools/imports.ts'

/*
 * The launcher on a small shop of its own: one production package, one for builds, and an npm that installs both from nowhere
 * and writes down what it was asked.
 */

const startScript: string = JSON.parse(readFileSync('package.json', 'utf8')).scripts.start
const pathWithNode = `${dirname(process.execPath)}:${process.env.PATH}`

const lock = (version: string) => ({
  packages: {
    '': {},
    'node_modules/sold': { version },
    'node_modules/vite': { version: '1.0.0', dev: true },
    'node_modules/for-another-machine': { version: '1.0.0', optional: true },
  },
})

const npm = `
const fs = require('fs')
const [command, ...args] = process.argv.slice(2)
const root = process.env.TEST_ROOT
const omitsDev = args.includes('--omit=dev')
const place = process.cwd() === root ? 'shop' : 'apart'
fs.appendFileSync(root + '/npm.log', [place, command, omitsDev ? 'production' : 'all'].join(' ') + '\\n')
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
if (command === 'ci') fs.rmSync('node_modules', { recursive: true, force: true })
for (const [path, { version, dev, optional }] of Object.entries(packages)) {
  if (path === '' || optional) continue
  if (dev && omitsDev) { fs.rmSync(path, { recursive: true, force: true }); continue }
  fs.mkdirSync(path + '/bin', { recursive: true })
  fs.writeFileSync(path + '/package.json', JSON.stringify({ version }))
  fs.writeFileSync(path + '/index.js.map', '')
  fs.writeFileSync(path + '/bin/vite.js', fs.readFileSync(root + '/npm/vite.js'))
}
// Until the test says so.
while (process.env.TEST_WAITS && !fs.existsSync(root + '/go'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)`

const vite = `
const fs = require('fs')
const folder = process.env.PAGES_FOLDER || 'dist'
if (fs.readFileSync('web/page.ts', 'utf8') === 'broken') process.exit(1)
fs.mkdirSync(folder, { recursive: true })
fs.copyFileSync('web/page.ts', folder + '/page.ts')`

function makeShop(root = temporaryFolder()) {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const launcher = ['run.mjs', 'tools/folder-use.mjs', 'tools/build-state.mjs']
  for (const path of [...launcher, 'server/running-mark.ts']) cpSync(path, join(root, path))
  write('.npmrc', '')
  const dependencies = { sold: '1.0.0' }
  const devDependencies = { vite: '1.0.0' }
  write('package.json', JSON.stringify({ type: 'module', dependencies, devDependencies }))
  write('package-lock.json', JSON.stringify(lock('1.0.0')))
  for (const path of [
    'web/page.ts',
    'sandbox/main.ts',
    'contract/money.ts',
    'vite.config.ts',
    'tools/precompress.ts',
    'tsconfig.json',
  ])
    write(path, '')
  write('tools/admin.ts', "console.log('the command ran')")
  write(
    'server/main.ts',
    "import { markRunning } from './running-mark.ts'\nmarkRunning()\n" +
      "process.on('SIGTERM', () => process.exit(7))\n" +
      "console.log('the shop runs as', process.pid, process.argv.slice(2).join(' '))\n" +
      'if (process.env.TEST_STAYS) process.stdin.resume()\n',
  )
  // CommonJS, as the real one.
  write('npm/package.json', '{}')
  write('npm/npm-cli.js', npm)
  write('npm/vite.js', vite)
  const env = {
    PATH: process.env.PATH,
    TEST_ROOT: root,
    npm_execpath: join(root, 'npm', 'npm-cli.js'),
  }
  const run = (command: string, more: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['run.mjs', command], {
      cwd: root,
      env: { ...env, ...more },
      encoding: 'utf8',
    })
    return { status, output: stdout + stderr }
  }
  const start = (command: string, more: Record<string, string> = {}) =>
    startProcess([process.execPath, 'run.mjs', command], more)
  /** As npm does. */
  const startByShell = (more: Record<string, string> = {}, ofNpm = (script: string) => script) =>
    startProcess(['sh', '-c', ofNpm(startScript)], {
      PATH: pathWithNode,
      npm_lifecycle_event: 'start',
      ...more,
    })
  const startProcess = ([program = '', ...args]: string[], more: Record<string, string>) => {
    const child = spawn(program, args, { cwd: root, env: { ...env, ...more } })
    after(() => child.kill('SIGKILL'))
    return child
  }
  return {
    root,
    run,
    start,
    startByShell,
    /** What npm was asked since the last call. */
    asked(): string[] {
      const file = join(root, 'npm.log')
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
      rmSync(file, { force: true })
      return lines
    },
    pull: (version: string) => write('package-lock.json', JSON.stringify(lock(version))),
    has: (path: string) => existsSync(join(root, path)),
    write,
  }
}

async function startShop(shop: ReturnType<typeof makeShop>) {
  const child = spawn(process.execPath, [join(shop.root, 'server', 'main.ts')], {
    env: { PATH: process.env.PATH, TEST_STAYS: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

test('after a pull no command installs packages under the running shop; once it has ended they do', async () => {
  const shop = makeShop()
  assert.equal(shop.run('start').status, 0)
  assert.deepEqual(shop.asked(), ['shop ci all'])
  const running = await startShop(shop)

  assert.match(shop.run('admin').output, /the command ran/)
  shop.pull('2.0.0')
  for (const command of ['admin', 'start', 'test', 'build']) {
    const { status, output } = shop.run(command)
    assert.equal(status, 1, command)
    assert.match(
      output,
      new RegExp(`running from this folder \\(process ${running.pid}\\)`),
      command,
    )
    assert.match(output, /Stop it and start it again/)
  }
  assert.deepEqual(shop.asked(), [])
  assert.match(readFileSync(join(shop.root, 'node_modules/sold/package.json'), 'utf8'), /1\.0\.0/)

  running.kill('SIGKILL')
  await once(running, 'exit')
  assert.match(shop.run('admin').output, /the command ran/)
  assert.equal(shop.asked().length, 1)
  assert.match(readFileSync(join(shop.root, 'node_modules/sold/package.json'), 'utf8'), /2\.0\.0/)
})

test('no command builds other pages under the running shop; a build that fails leaves the pages as they were', async () => {
  const shop = makeShop()
  shop.write('web/page.ts', 'old')
  shop.run('start')
  const readPage = () => readFileSync(join(shop.root, 'dist/pages/page.ts'), 'utf8')
  const running = await startShop(shop)
  shop.write('web/page.ts', 'new')
  for (const command of ['build', 'dev', 'bench', 'proof', 'pictures', 'start']) {
    const { status, output } = shop.run(command)
    assert.equal(status, 1, command)
    assert.match(output, /Other pages have to be built, but a shop is running/, command)
    assert.equal(readPage(), 'old', command)
  }
  running.kill('SIGKILL')
  await once(running, 'exit')

  shop.write('web/page.ts', 'broken')
  assert.equal(shop.run('build').status, 1)
  assert.equal(readPage(), 'old')
  shop.write('web/page.ts', 'new')
  assert.equal(shop.run('build').status, 0)
  assert.equal(readPage(), 'new')
  assert.equal(shop.has('.build'), false)
})

test('pages are built when something that they are made of has changed; the server runs its sources', async () => {
  const shop = makeShop()
  const isBuilding = () => shop.run('start').output.includes('Building the pages')
  assert.equal(isBuilding(), true)
  assert.equal(isBuilding(), false)
  for (const path of ['web/page.ts', 'contract/money.ts']) {
    shop.write(path, 'new')
    assert.equal(isBuilding(), true, path)
  }
  for (const path of ['sandbox/main.ts', 'web/page.test.ts', 'contract/testing/money.ts']) {
    shop.write(path, 'new')
    assert.equal(isBuilding(), false, path)
  }
  shop.write('server/main.ts', "console.log('another server')")
  assert.match(shop.run('start').output, /^another server$/m)
})

test('of two commands that find packages missing one installs them, and the other one waits for it', async () => {
  const shop = makeShop()
  const first = shop.start('admin', { TEST_WAITS: '1' })
  await once(first.stdout, 'data')
  const second = shop.start('admin')
  let told = ''
  second.stdout.on('data', (bytes) => {
    told += String(bytes)
  })
  await once(second.stdout, 'data')
  assert.match(told, /waiting for it/)
  shop.write('go', '')
  assert.deepEqual(await Promise.all([once(first, 'close'), once(second, 'close')]), [
    [0, null],
    [0, null],
  ])
  assert.match(told, /the command ran/)
  assert.deepEqual(shop.asked(), ['shop ci all'])
})

test('a lock file that changed elsewhere costs nothing: the packages of the shop are as it says', async () => {
  const shop = makeShop()
  shop.run('start')
  shop.asked()
  await startShop(shop)
  const changed = lock('1.0.0')
  changed.packages['node_modules/vite'].version = '2.0.0'
  shop.write('package-lock.json', JSON.stringify(changed))
  assert.match(shop.run('admin').output, /the command ran/)
  assert.deepEqual(shop.asked(), [])
})

test('in production the pages are built apart, and the shop gets the production packages only', () => {
  const shop = makeShop()
  const production = { NODE_ENV: 'production' }
  const first = shop.run('start', production)
  assert.match(first.output, /the shop runs/)
  assert.deepEqual(shop.asked(), ['apart ci all', 'shop ci production'])
  assert.deepEqual(['dist', 'node_modules/sold', 'node_modules/vite', '.build'].map(shop.has), [
    true,
    true,
    false,
    false,
  ])
  assert.equal(shop.has('node_modules/sold/index.js.map'), false)
  assert.match(shop.run('start', production).output, /the shop runs/)
  assert.match(shop.run('admin', production).output, /the command ran/)
  assert.match(
    shop.run('start').output,
    /the shop runs/,
    'with built pages also without the setting',
  )
  assert.deepEqual(shop.asked(), [])
})

test('a Node that is older than 24.7 is replaced by a newer one, which then runs the shop', () => {
  const shop = makeShop()
  shop.write('runtime/package-lock.json', JSON.stringify({ packages: {} }))
  const runUnder = (version: string) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
    return shop.run('start', {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretend)}`,
    })
  }
  for (const version of ['24.7.0', '24.21.0', '26.0.0'])
    assert.match(runUnder(version).output, /the shop runs/, version)
  shop.asked()
  for (const version of ['24.6.9', '22.20.0', '20.19.0']) {
    const { status, output } = runUnder(version)
    assert.equal(status, 1, version)
    assert.match(output, new RegExp(`this machine has ${version}`))
  }
})

test('production removes what an earlier start left for tests and builds', () => {
  const shop = makeShop()
  shop.run('start')
  assert.equal(shop.has('node_modules/vite'), true)
  shop.asked()
  assert.match(shop.run('start', { NODE_ENV: 'production' }).output, /the shop runs/)
  assert.deepEqual(shop.asked(), ['shop prune production'])
  assert.deepEqual(['node_modules/sold', 'node_modules/vite'].map(shop.has), [true, false])
})

test('what runs in production imports production packages only', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const programs = ['admin', 'backup', 'customer', 'doctor', 'restore', 'seed'].map(
    (name) => `tools/${name}.ts`,
  )
  const wrong = ['server/main.ts', 'sandbox/main.ts', ...programs].flatMap((program) =>
    [...listDependencies(program)]
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        readImports(file)
          .filter(({ isFile, isTypeOnly, target }) => !isFile && !isTypeOnly && !isBuiltin(target))
          .map(({ target }) =>
            target
              .split('/')
              .slice(0, target.startsWith('@') ? 2 : 1)
              .join('/'),
          )
          .filter((name) => !(name in dependencies))
          .map((name) => `${file} imports ${name}`),
      ),
  )
  assert.deepEqual([...new Set(wrong)], [])
})

test('a start does not load what only pictures, new passwords, mails or JSON schemas need', () => {
  const program = `
    import { createRequire } from 'node:module'
    const paths = ['./sandbox/sandbox.ts', './server/shop.ts', './server/app.ts']
    const [{ startSandbox }] = await Promise.all(paths.map((path) => import(path)))
    await (await startSandbox()).close()
    console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)))`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const files: string[] = JSON.parse(stdout || JSON.stringify(stderr))
  const isLoaded = (name: string) => files.some((file) => file.includes(`node_modules/${name}/`))
  assert.ok(isLoaded('fastify'))
  const rare = ['sharp', 'nodemailer', 'maxmind', 'ajv', '@zxcvbn-ts/core']
  assert.deepEqual(rare.filter(isLoaded), [])
})

/** Which process the shop is, and how it ends when `child` is told to. */
async function stopShop(child: ChildProcessWithoutNullStreams) {
  let output = ''
  child.stdout.on('data', (bytes) => (output += String(bytes)))
  child.stderr.on('data', (bytes) => (output += String(bytes)))
  while (!output.includes('the shop runs')) {
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    assert.equal(child.exitCode, null, output)
  }
  const [, pid, args = ''] = /the shop runs as (\d+) ?(.*)/.exec(output) ?? []
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return { isReplaced: Number(pid) === child.pid, args, code }
}

test("the shop takes the place of its launcher and of npm's shell, and ends with npm; signals and the exit code are its own", async () => {
  const shop = makeShop(join(temporaryFolder(), "the owner's $HOME=folder"))
  const stays = { TEST_STAYS: '1' }
  const own = { isReplaced: true, args: '', code: 7 }
  assert.deepEqual(await stopShop(shop.start('start', stays)), own)
  const ofNpm = { ...own, args: `--stop-with-parent=${process.pid}` }
  assert.deepEqual(await stopShop(shop.startByShell(stays)), ofNpm)
})

test('what follows npm start is a word for the shop, and nothing of it is run', async () => {
  const shop = makeShop()
  // As npm quotes it.
  const child = shop.startByShell({ TEST_STAYS: '1' }, (script) => `${script} '$(touch run)'`)
  const { args } = await stopShop(child)
  assert.equal(args, `$(touch run) --stop-with-parent=${process.pid}`)
  assert.equal(shop.has('run'), false)
})

test('where Node cannot replace itself, as before 22.15, the launcher stays and passes signals and the exit code on', async () => {
  const shop = makeShop()
  const NODE_OPTIONS = '--import=data:text/javascript,process.execve=undefined'
  const stopped = await stopShop(shop.start('start', { TEST_STAYS: '1', NODE_OPTIONS }))
  assert.deepEqual(stopped, { isReplaced: false, args: '', code: 7 })
})

test('started by npm, a shop that cannot be prepared is not run; one whose npm is killed stops preparing', async () => {
  const shop = makeShop()
  shop.write('web/page.ts', 'broken')
  const failing = shop.startByShell()
  let told = ''
  for (const stream of [failing.stdout, failing.stderr])
    stream.on('data', (bytes) => (told += String(bytes)))
  assert.deepEqual(await once(failing, 'close'), [1, null])
  assert.match(told, /Building the pages failed/)
  assert.doesNotMatch(told, /the shop runs|exec/)

  shop.pull('2.0.0')
  const waiting = shop.startByShell({ TEST_WAITS: '1' }, (script) => `(${script}) & wait`)
  await once(waiting.stdout, 'data')
  waiting.kill('SIGKILL')
  await once(waiting, 'close')
})
