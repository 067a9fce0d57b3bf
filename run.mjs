// The launcher: installs what is missing, builds what is stale, then runs a command of the shop.
// It runs on Node 20 and before anything is installed, so neither it nor what it imports
// needs a package.
import { spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { arePagesBuilt, fingerprint, pageSources } from './tools/build-state.mjs'
import { findRunningShops, lockFolder } from './tools/folder-use.mjs'

const root = dirname(fileURLToPath(import.meta.url))
/** The first that runs TypeScript as it is and has argon2, which hashes passwords. */
const minNodeVersion = '24.7'
/** What tests and builds need stays off a machine that takes money. */
const isProduction = process.env.NODE_ENV === 'production'

const buildsFolder = '.build'
/** Where the pages are built, to be moved to dist. Not where others are: what a killed launcher began goes on. */
const buildFolder = join(buildsFolder, String(process.pid))

const commands = {
  // V8 would let short-lived objects take 130 MB on a large machine; the shop is as quick with 48 (3 times 16). With
  // gigabytes to fill it collects garbage late: 310 MB after 1,200 sales, 225 where the heap ends at one, for five percent of CPU.
  start: {
    needs: ['pages', 'production packages'],
    run: ['--max-semi-space-size=16', '--max-old-space-size=1024', 'server/main.ts'],
    settings: true,
    replacesLauncher: true,
  },
  // Builds the pages itself when one of the chosen tests uses them.
  test: { needs: ['packages'], run: ['tools/test.ts'] },
  'test:all': { needs: ['packages'], run: ['tools/test.ts', '--all'] },
  check: { needs: ['packages'], run: ['tools/test.ts', '--only-checks'] },
  build: { needs: ['pages', 'production packages'] },
  dev: { needs: ['packages', 'pages'], run: ['tools/dev.ts'], settings: true },
  admin: { needs: ['production packages'], run: ['tools/admin.ts'], settings: true },
  customer: { needs: ['production packages'], run: ['tools/customer.ts'], settings: true },
  backup: { needs: ['production packages'], run: ['tools/backup.ts'], settings: true },
  restore: { needs: ['production packages'], run: ['tools/restore.ts'], settings: true },
  seed: { needs: ['production packages'], run: ['tools/seed.ts'], settings: true },
  doctor: { needs: ['production packages'], run: ['tools/doctor.ts'], settings: true },
  sandbox: { needs: ['production packages'], run: ['sandbox/main.ts'] },
  proof: { needs: ['packages', 'pages'], run: ['proof/main.ts'] },
  bench: { needs: ['packages', 'pages'], run: ['tools/bench.ts'] },
  pictures: { needs: ['packages', 'pages'], run: ['tools/pictures.ts'] },
  api: { needs: ['packages'], run: ['tools/api-page.ts'] },
  licences: { needs: ['packages'], run: ['tools/licences.ts'] },
  sbom: { needs: [], run: ['tools/sbom.ts'] },
  format: { needs: ['packages'], run: ['tools/format.ts'] },
  migration: { needs: ['packages'], run: ['tools/migration.ts'] },
}

const [name = 'start', ...commandArgs] = process.argv.slice(2)
const command = commands[name]
if (!command) fail(`There is no command "${name}". There are: ${Object.keys(commands).join(', ')}.`)
process.chdir(root)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, exitWhilePreparing)
const isByNpm = process.env.npm_lifecycle_event !== undefined
const npmWatch = isByNpm ? onEndOfParent(exitWhilePreparing) : undefined

let node = process.execPath
const unlock = await lockFolder(root, (line) => process.stdout.write(`${line}\n`))
node = await ensureNode()
if (command.needs.includes('packages')) await ensurePackages('all')
if (command.needs.includes('pages')) await ensurePages()
if (command.needs.includes('production packages')) await ensurePackages('production')
unlock()
if (command.run) {
  const settings = command.settings && existsSync('.env') ? ['--env-file=.env'] : []
  const args = ['--disable-warning=ExperimentalWarning', ...settings, ...command.run]
  if (command.replacesLauncher && process.execve) replaceLauncher(args)
  else await runToEnd(args)
}

/** On a machine with an older Node, runtime/ installs a newer one. */
async function ensureNode() {
  if (isNewEnough(process.versions.node)) return process.execPath
  const stamp = join('runtime', 'node_modules', '.installed')
  const expected = fingerprint(['runtime/package-lock.json'])
  if (read(stamp) !== expected || !findNode()) {
    refuseUnderRunningShop('Another Node has to be installed')
    await runStep(`Fetching a newer Node (this machine has ${process.versions.node})`, [
      process.execPath,
      ...npm('ci', '--prefix', 'runtime'),
    ])
    removeHeaders()
    writeFileSync(stamp, expected)
  }
  return (
    findNode() ??
    fail(
      `Till needs Node ${minNodeVersion} or newer, this machine has ${process.versions.node}, and there is no ready-made one for ` +
        `${process.platform}-${process.arch}. Please install Node ${minNodeVersion} from https://nodejs.org.`,
    )
  )
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  const [minMajor, minMinor] = minNodeVersion.split('.').map(Number)
  return major > minMajor || (major === minMajor && minor >= minMinor)
}

function findNode() {
  const folder = join(root, 'runtime', 'node_modules')
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .map((entry) => join(folder, entry, 'bin', 'node'))
    .find((path) => existsSync(path))
}

/** A third of Node's package is for compiling add-ons, of which there are none. */
function removeHeaders() {
  const found = findNode()
  if (found) rmSync(join(dirname(found), '..', 'include'), { recursive: true, force: true })
}

/**
 * Installs what is missing or has another version than the lock file says. The shop needs the production packages only;
 * where its pages still have to be built, or tests run, all are installed.
 */
async function ensurePackages(wanted) {
  const stamp = join('node_modules', '.installed')
  const expected = fingerprint(['package-lock.json'])
  const [installed, scope] = (read(stamp) ?? '').split(' ')
  const isCurrent = installed === expected && (scope !== 'production' || wanted !== 'all')
  const isComplete =
    (isCurrent && directPackages(wanted).every(isInstalled)) || matchesLockFile(wanted)
  // What is built comes with a release; a copy of the sources will need the rest too.
  const isRelease = isProduction || (name === 'start' && arePagesBuilt())
  const installScope = isRelease ? wanted : 'all'
  if (!isComplete) {
    refuseUnderRunningShop('Other packages have to be installed')
    const omit = installScope === 'production' ? ['--omit=dev'] : ['--include=dev']
    const install = [node, ...npm('ci', ...omit)]
    const measure = () => shareOfPackages(installScope)
    await runStep('Installing packages (once, a minute or two)', install, { measure })
    if (isProduction && installScope === 'production') removeUnusedFiles()
    writeFileSync(stamp, `${expected} ${installScope}`)
  } else if (!isWritable('node_modules')) {
    // Installed by somebody else, as for a service that may only read its program.
    return
  } else if (isProduction && wanted === 'production' && matchesLockFile('all')) {
    if (findRunningShops(root).length > 0) return
    await runStep('Removing packages that only tests and builds need', [
      node,
      ...npm('prune', '--omit=dev'),
    ])
    removeUnusedFiles()
    writeFileSync(stamp, `${expected} production`)
  } else if (!isCurrent) {
    writeFileSync(stamp, `${expected} ${matchesLockFile('all') ? 'all' : 'production'}`)
  }
}

/** Source maps and declarations of types, a sixth of all: for people and compilers, never loaded by Node. */
function removeUnusedFiles() {
  for (const entry of readdirSync('node_modules', { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /\.(map|d\.[cm]?ts)$/.test(entry.name))
      rmSync(join(entry.parentPath ?? entry.path, entry.name))
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function directPackages(wanted) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  return Object.keys({ ...dependencies, ...(wanted === 'all' && devDependencies) })
}

function isInstalled(packageName) {
  return existsSync(join('node_modules', packageName, 'package.json'))
}

/** How much of the packages is there, from 0 to 1. */
function shareOfPackages(wanted) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const paths = Object.entries(packages)
    .filter(([path, { dev, optional }]) => path !== '' && !optional && (wanted === 'all' || !dev))
    .map(([path]) => path)
  return paths.filter((path) => existsSync(join(path, 'package.json'))).length / paths.length
}

/** Whether each package is there in its version. Optional ones are missing where they are for other machines. */
function matchesLockFile(wanted) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && (wanted === 'all' || !dev))
    .every(([path, { version, optional, devOptional }]) => {
      const manifest = read(join(path, 'package.json'))
      if (manifest === undefined) return optional === true || devOptional === true
      return JSON.parse(manifest).version === version
    })
}

/** Installing and building replace files that a running shop still loads from. */
function refuseUnderRunningShop(what) {
  const pids = findRunningShops(root)
  if (pids.length === 0) return
  fail(
    `${what}, but a shop is running from this folder (process ${pids.join(', ')}): it would lose the old ones while it works.\n` +
      'Stop it and start it again with npm start, which does so; or check out the version that it was started with. ' +
      'For tests and trials beside a running shop use another copy of the folder.',
  )
}

async function ensurePages() {
  if (arePagesBuilt()) return
  refuseUnderRunningShop('Other pages have to be built')
  if (!isWritable('.'))
    fail(
      'The pages have to be built by the owner of this folder: NODE_ENV=production npm run build',
    )
  rmSync(buildsFolder, { recursive: true, force: true })
  const isApart = isProduction && !matchesLockFile('all')
  if (isApart) await preparePackagesApart()
  else await ensurePackages('all')
  await buildPages(isApart ? buildFolder : '.')
  rmSync(buildsFolder, { recursive: true, force: true })
}

/** All packages in a folder of their own, so that the shop's own gets the production packages only. */
async function preparePackagesApart() {
  for (const path of [...pageSources, 'package.json', '.npmrc'])
    cpSync(path, join(buildFolder, path), { recursive: true })
  const install = [node, ...npm('ci', '--include=dev')]
  await runStep('Installing what builds the pages, apart', install, { cwd: buildFolder })
}

/** A build that fails or is interrupted leaves what was there. */
async function buildPages(cwd) {
  const print = fingerprint(pageSources)
  const built = join(root, buildFolder, 'dist', 'pages')
  const vite = [node, 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']
  await runStep('Building the pages', vite, { cwd, settings: { PAGES_FOLDER: built } })
  await runStep('Compressing them', [node, 'tools/precompress.ts', built], { cwd })
  writeFileSync(join(built, '.built'), print)
  const place = join('dist', 'pages')
  if (existsSync(place)) renameSync(place, join(buildFolder, 'old-pages'))
  mkdirSync('dist', { recursive: true })
  renameSync(built, place)
}

/** npm under the chosen Node. No package needs its install scripts, so none run. */
function npm(...args) {
  const given = process.env.npm_execpath ?? ''
  const cli = given.endsWith('npm-cli.js') ? given : findNpm()
  const options = ['--ignore-scripts', '--include=optional', '--no-audit', '--no-fund']
  return [cli, ...args, ...options, '--prefer-offline', '--loglevel=error']
}

function findNpm() {
  const candidates = [
    join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js'),
    '/usr/share/nodejs/npm/bin/npm-cli.js',
    '/usr/lib/node_modules/npm/bin/npm-cli.js',
  ]
  return (
    candidates.find((path) => existsSync(path)) ??
    fail('npm was not found. Please start with: npm start')
  )
}

/**
 * Shows on a terminal that it goes on, and how far it is where that can be measured; elsewhere a line every ten seconds.
 * What was printed is shown when it fails.
 */
async function runStep(title, [program, ...args], { cwd = '.', settings = {}, measure } = {}) {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  process.stdout.write(`${title}…\n`)
  const { isTTY } = process.stdout
  const tell = () => {
    const share = measure?.() ?? 0
    if (!isTTY) return process.stdout.write(`  still at it, ${seconds()} s\n`)
    const bar = '█'.repeat(Math.round(share * 24)).padEnd(24, '░')
    const left = Math.ceil((seconds() * (1 - share)) / share)
    const rest = share > 0.05 && share < 1 ? `, ${left} s left` : ''
    process.stdout.write(`\r\u001B[K  ${measure ? `${bar} ` : ''}${seconds()} s${rest}`)
  }
  const progress = setInterval(tell, isTTY ? 500 : 10_000)
  const printed = []
  const child = spawn(program, args, {
    cwd,
    env: { ...childEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Left running it would go on changing files that the next start relies on.
  const stop = () => child.kill()
  process.once('exit', stop)
  child.stdout.on('data', (bytes) => printed.push(bytes))
  child.stderr.on('data', (bytes) => printed.push(bytes))
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', resolve)
  })
  clearInterval(progress)
  if (isTTY) process.stdout.write('\r\u001B[K')
  process.off('exit', stop)
  if (code !== 0)
    fail(
      `${Buffer.concat(printed).toString()}\n${title} failed (${code}). Fix the cause above and run it again.`,
    )
  process.stdout.write(`  done in ${seconds()} s\n`)
}

/** A killed npm cannot pass the signal on. */
function onEndOfParent(callback) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    callback()
  }, 500)
  return watch.unref()
}

function exitWhilePreparing() {
  process.exit(1)
}

/**
 * From Node 22.15 on: no launcher stays in memory. The shop gets our process id, so signals and the exit code are its own;
 * it watches npm itself.
 */
function replaceLauncher(args) {
  const parent = isByNpm ? [`--stop-with-parent=${process.ppid}`] : []
  process.execve(node, [node, ...args, ...commandArgs, ...parent], childEnvironment())
}

/** Runs the command and exits with its exit code. */
async function runToEnd(args) {
  const child = spawn(node, [...args, ...commandArgs], {
    env: childEnvironment(),
    // The channel closes when this launcher is killed, and the shop stops then.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.off(signal, exitWhilePreparing)
    process.on(signal, () => child.kill(signal))
  }
  clearInterval(npmWatch)
  if (isByNpm) onEndOfParent(() => child.kill('SIGTERM'))
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

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
