// The launcher: brings whatever a fresh machine lacks, then runs a command of the shop.
// It runs on Node 20 and before anything is installed, so it imports nothing beyond node: itself.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const oldestNode = 24

const commands = {
  // V8 would let short-lived objects take 130 MB on a large machine; the shop is as quick with 16.
  start: {
    needs: ['packages', 'web'],
    run: ['--max-semi-space-size=16', 'server/main.ts'],
    settings: true,
  },
  test: { needs: ['packages', 'web'], run: ['tools/test.ts'] },
  dev: { needs: ['packages', 'web'], run: ['tools/dev.ts'], settings: true },
  admin: { needs: ['packages'], run: ['tools/admin.ts'], settings: true },
  seed: { needs: ['packages'], run: ['tools/seed.ts'], settings: true },
  recount: { needs: ['packages'], run: ['tools/recount.ts'], settings: true },
  sandbox: { needs: ['packages'], run: ['sandbox/main.ts'] },
  proof: { needs: ['packages', 'web'], run: ['proof/main.ts'] },
  bench: { needs: ['packages', 'web'], run: ['tools/bench.ts'] },
  pictures: { needs: ['packages', 'web'], run: ['tools/pictures.ts'] },
  format: { needs: ['packages'], run: ['tools/format.ts'] },
  migration: {
    needs: ['packages'],
    run: ['node_modules/drizzle-kit/bin.cjs', 'generate', '--name'],
  },
}

const [name = 'start', ...words] = process.argv.slice(2)
const command = commands[name]
if (!command) fail(`There is no command "${name}". There are: ${Object.keys(commands).join(', ')}.`)
process.chdir(root)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, endWhilePreparing)

let node = process.execPath
node = await ensureNode()
if (command.needs.includes('packages')) await ensurePackages()
if (command.needs.includes('web')) await ensureWeb()
await hand(
  command.settings && existsSync('.env') ? ['--env-file=.env', ...command.run] : command.run,
)

/** Node 24 runs our TypeScript as it is. Where the machine's is older, runtime/ brings one. */
async function ensureNode() {
  if (Number(process.versions.node.split('.')[0]) >= oldestNode) return process.execPath
  const stamp = join('runtime', 'node_modules', '.installed')
  const wanted = fingerprint(['runtime/package-lock.json'])
  if (read(stamp) !== wanted || !findNode()) {
    await longStep(`Fetching Node ${oldestNode} (this machine has ${process.versions.node})`, [
      process.execPath,
      ...npm('ci', '--prefix', 'runtime'),
    ])
    writeFileSync(stamp, wanted)
  }
  return (
    findNode() ??
    fail(
      `Till needs Node ${oldestNode} or newer, this machine has ${process.versions.node}, and there is no ready-made one for ` +
        `${process.platform}-${process.arch}. Please install Node ${oldestNode} from https://nodejs.org.`,
    )
  )
}

function findNode() {
  const folder = join(root, 'runtime', 'node_modules')
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .map((entry) => join(folder, entry, 'bin', 'node'))
    .find((path) => existsSync(path))
}

async function ensurePackages() {
  const stamp = join('node_modules', '.installed')
  const wanted = fingerprint(['package-lock.json'])
  if (read(stamp) === wanted && directPackages().every(isInstalled)) return
  await longStep('Installing packages (once, a minute or two)', [node, ...npm('ci')])
  writeFileSync(stamp, wanted)
}

function directPackages() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  return Object.keys({ ...dependencies, ...devDependencies })
}

function isInstalled(packageName) {
  return existsSync(join('node_modules', packageName, 'package.json'))
}

async function ensureWeb() {
  const stamp = join('dist', '.built')
  const wanted = fingerprint([
    'web',
    'contract',
    'vite.config.ts',
    'tools/precompress.ts',
    'package-lock.json',
  ])
  if (read(stamp) === wanted) return
  rmSync('dist', { recursive: true, force: true })
  const vite = [node, 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']
  await longStep('Building the pages', vite)
  await longStep('Packing them', [node, 'tools/precompress.ts'])
  mkdirSync('dist', { recursive: true })
  writeFileSync(stamp, wanted)
}

/** npm under the Node we chose. Nothing of ours needs install scripts, so none run. */
function npm(...what) {
  const given = process.env.npm_execpath ?? ''
  const cli = given.endsWith('npm-cli.js') ? given : findNpm()
  const options = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
  ]
  return [cli, ...what, ...options, '--prefer-offline', '--loglevel=error']
}

function findNpm() {
  const near = join(
    dirname(process.execPath),
    '..',
    'lib',
    'node_modules',
    'npm',
    'bin',
    'npm-cli.js',
  )
  const places = [
    near,
    '/usr/share/nodejs/npm/bin/npm-cli.js',
    '/usr/lib/node_modules/npm/bin/npm-cli.js',
  ]
  return (
    places.find((path) => existsSync(path)) ??
    fail('npm was not found. Please start with: npm start')
  )
}

/** Shows that something is going on, and what went wrong when it did. */
async function longStep(title, [program, ...args]) {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  process.stdout.write(`${title}…\n`)
  const ticking = setInterval(() => process.stdout.write(`  still at it, ${seconds()} s\n`), 10_000)
  const output = []
  const child = spawn(program, args, { env: childEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
  // Left alone it would go on changing what the next start relies on.
  const stop = () => child.kill()
  process.once('exit', stop)
  child.stdout.on('data', (bytes) => output.push(bytes))
  child.stderr.on('data', (bytes) => output.push(bytes))
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', resolve)
  })
  clearInterval(ticking)
  process.off('exit', stop)
  if (code !== 0)
    fail(
      `${Buffer.concat(output).toString()}\n${title} failed (${code}). Fix the cause above and run it again.`,
    )
  process.stdout.write(`  done in ${seconds()} s\n`)
}

/** npm that was killed cannot pass that on; a shop nobody can stop any more must not stay behind. */
function endWithParent(child) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500)
  watch.unref()
}

function endWhilePreparing() {
  process.exit(1)
}

/** Runs the command itself and ends as it ends. */
async function hand(args) {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args, ...words], {
    env: childEnvironment(),
    // The channel tells the shop when this launcher is killed, so that it never outlives it.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.off(signal, endWhilePreparing)
    process.on(signal, () => child.kill(signal))
  }
  if (process.env.npm_lifecycle_event) endWithParent(child)
  const code = await new Promise((resolve) => {
    child.on('error', (error) => fail(error.message))
    child.on('exit', (exitCode, signal) => resolve(signal ? 1 : exitCode))
  })
  process.exit(code)
}

function childEnvironment() {
  return {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE:
      process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compiled'),
  }
}

/** Changes when any of these files does, or the platform they are used on. */
function fingerprint(paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const path of paths.flatMap(filesBelow))
    hash.update(`\n${path}\n`).update(readFileSync(path))
  return hash.digest('hex')
}

function filesBelow(path) {
  const below = readdirOrNothing(path)
  return below ? below.toSorted().flatMap((entry) => filesBelow(join(path, entry))) : [path]
}

function readdirOrNothing(path) {
  try {
    return readdirSync(path)
  } catch {
    return undefined
  }
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
