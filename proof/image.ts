import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { sandboxPath } from '#server/sumup/sandbox-process.ts'
import { delivery, goodCard, paymentBy } from '#server/testing/buyer.ts'
import { freePort } from '#server/testing/running-shop.ts'
import { listDescendants, readCommand } from '#tools/bench/processes.ts'
import type { Bar } from '#tools/terminal.ts'
import { MissingProgram } from './machines.ts'

/**
 * `npm run proof -- image`: the image is built by buildah, without a daemon, on a base of Debian's packages and this Node,
 * in place of the one from a registry. It is run, sold from, stopped, and run again with the same volume.
 */

const needed = ['buildah', 'mmdebstrap']
/** What is done, and how much of the time that usually is. */
type Say = (line: string, percent: number) => void
/** Of the user `node`, as in the base image that the Dockerfile names. */
const nodeUser = 1000
const readyTries = 240
const admin = { username: 'admin', password: 'three slow green lorries' }

export async function proveImage({ onProgress, print }: Bar): Promise<boolean> {
  const missing = needed.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length > 0)
    throw new MissingProgram(
      `This proof needs ${missing.join(' and ')}. On Debian or Ubuntu, as root: apt-get install ${missing.join(' ')}`,
    )
  const folder = mkdtempSync(join(tmpdir(), 'till-image-'))
  const show = (done: number) => onProgress({ step: '  image', done, total: 100 })
  const say: Say = (line, percent) => {
    print(line)
    show(percent)
  }
  show(0)
  try {
    makeBase(folder, say)
    build(folder, say)
    await useShop(folder, say)
    return true
  } finally {
    buildah(folder, ['rm', '--all'])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Debian, this Node, npm and a user `node`; it trusts the certificates that this machine trusts. */
function makeBase(folder: string, say: Say): void {
  const place = join(folder, 'base')
  mkdirSync(place)
  const mirror = read('apt-get', ['indextargets', '--format', '$(REPO_URI)']).split('\n')[0] ?? ''
  const packages = '--include=ca-certificates,libstdc++6'
  read('mmdebstrap', [
    '--quiet',
    '--variant=minbase',
    packages,
    'bookworm',
    join(place, 'debian.tar'),
    mirror,
  ])
  copyFileSync(process.execPath, join(place, 'node'))
  read('npm', ['pack', 'npm@11', '--silent', '--pack-destination', place])
  const [npm = ''] = globSync('npm-*.tgz', { cwd: place })
  read('tar', ['xzf', npm], place)
  copyFileSync('/etc/ssl/certs/ca-certificates.crt', join(place, 'certificates.crt'))
  const lines = [
    'FROM scratch',
    'ADD debian.tar /',
    'COPY node /usr/local/bin/node',
    'COPY package /usr/local/lib/node_modules/npm',
    'COPY certificates.crt /etc/ssl/certs/ca-certificates.crt',
    'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
    `RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --create-home --uid ${nodeUser} node`,
  ]
  writeFileSync(join(place, 'Dockerfile'), lines.join('\n'))
  buildah(folder, ['bud', '--isolation', 'chroot', '-t', 'till-base', place])
  say('the base is made of Debian’s packages', 30)
}

/** Exactly what is committed. */
function build(folder: string, say: Say): void {
  const sources = join(folder, 'sources')
  read('git', ['clone', '--quiet', '.', sources])
  const npmrc = join(homedir(), '.npmrc')
  const volumes = existsSync(npmrc) ? ['--volume', `${npmrc}:/root/.npmrc:ro`] : []
  const options = ['--isolation', 'chroot', '--network', 'host', '--format', 'docker', ...volumes]
  const from = ['--build-arg', 'BASE=localhost/till-base']
  const file = ['-f', 'deploy/Dockerfile', '-t', 'till', sources]
  buildah(folder, ['bud', ...options, ...from, ...file])
  const [size = ''] = buildah(folder, ['images', '--format', '{{.Size}}', 'till']).split('\n')
  say(`the image is built, and has ${size}`, 88)
}

async function useShop(folder: string, say: Say): Promise<void> {
  const volume = join(folder, 'volume')
  mkdirSync(volume)
  chownSync(volume, nodeUser, nodeUser)
  buildah(folder, ['from', '--name', 'shop', 'localhost/till'])
  const first = await start(folder, volume)
  say('it is ready', 93)
  const orderId = await sell(first.address)
  say('it has sold a mug', 94)
  await first.stop()
  say('it has stopped by SIGTERM', 95)
  const second = await start(folder, volume)
  const { cookie } = await logIn(second.address)
  const answer = await fetch(`${second.address}${pathOf(apiRoutes.order, { id: orderId })}`, {
    headers: { cookie },
  })
  const order = await readJson<{ customerEmail: string }>(answer)
  if (order.customerEmail !== delivery.customerEmail) throw new Error('the order is not there')
  say('started again with its volume, it has the order', 99)
  await second.stop()
  say('it has stopped again', 100)
}

async function start(folder: string, volume: string) {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const [, ...command] = buildah(folder, ['inspect', '--format', '{{.OCIv1.Config.Cmd}}', 'shop'])
    .replace(/^\[|\]\s*$/g, ' ')
    .split(' ')
    .filter(Boolean)
  const settings = { PORT: String(port), HOST: '127.0.0.1', ADMIN_PASSWORD: admin.password }
  const child = spawn(
    'buildah',
    [
      ...storeOf(folder),
      'run',
      '--isolation=chroot',
      '--user=node',
      ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
      `--volume=${volume}:/data`,
      'shop',
      '--',
      'node',
      ...command,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output = `${output}${text}`.slice(-4_000)))
  for (let tries = 0; tries < readyTries; tries += 1) {
    const ready = await fetch(`${address}${apiRoutes.healthReady}`).catch(() => undefined)
    if (ready?.ok) return { address, stop: () => stop(child) }
    if (child.exitCode !== null) break
    await sleep(250)
  }
  throw new Error(`the shop in the image is not ready:\n${output}`)
}

/** As Docker does: the signal goes to the first process of the container. */
async function stop(child: ChildProcess): Promise<void> {
  const shop = listDescendants(child.pid ?? 0).find((pid) =>
    /^\/usr\/local\/bin\/node .*server\/main\.ts/.test(readCommand(pid)),
  )
  if (!shop) throw new Error('the shop does not run')
  process.kill(shop, 'SIGTERM')
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the shop ended with ${code}`)
}

/** A whole sale by calls, as a browser would make it. */
async function sell(address: string): Promise<string> {
  const { cookie } = await logIn(address)
  const mug = { name: 'Mug', price: '10.00', headerLogoUrl: 'https://example.com/logo.png' }
  const product = await readJson<{ id: string }>(
    await send('POST', `${address}${apiRoutes.products}`, mug, cookie),
  )
  const offer = { productId: product.id, amount: '10.00', currency: 'EUR' }
  const opened = await send('POST', `${address}${apiRoutes.createCheckout}`, offer)
  const buyer = cookieOf(opened)
  const { checkoutId } = await readJson<{ checkoutId: string }>(opened)
  const details = `${address}${pathOf(apiRoutes.checkoutDetails, { checkoutId })}`
  await readJson(await send('PUT', details, delivery, buyer))
  await readJson(
    await send('PUT', `${address}${sandboxPath}/v0.2/checkouts/${checkoutId}`, paymentBy(goodCard)),
  )
  const order = {
    ...delivery,
    ...offer,
    quantity: 1,
    status: 'pending',
    sumupCheckoutId: checkoutId,
  }
  const sold = await send('POST', `${address}${apiRoutes.orders}`, order, buyer)
  return (await readJson<{ id: string }>(sold)).id
}

async function logIn(address: string): Promise<{ cookie: string }> {
  const answer = await send('POST', `${address}${apiRoutes.adminLogin}`, admin)
  return { cookie: cookieOf(answer) }
}

function cookieOf(answer: Response): string {
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

function send(method: string, url: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie }
  return fetch(url, { method, headers, body: JSON.stringify(body) })
}

async function readJson<Body>(answer: Response): Promise<Body> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Body
}

/** Images and containers of this proof alone. */
function storeOf(folder: string): string[] {
  return [
    '--root',
    join(folder, 'store'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'vfs',
  ]
}

function buildah(folder: string, args: string[]): string {
  return read('buildah', [...storeOf(folder), ...args])
}

function read(program: string, args: string[], cwd = '.'): string {
  const options = { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const { status, stdout, stderr } = spawnSync(program, args, options)
  if (status === 0) return stdout
  throw new Error(`${program} ${args[0]} failed:\n${stderr.slice(-2_000)}`)
}
