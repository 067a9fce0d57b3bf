import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium, type BrowserServer } from 'playwright-core'

/** The headless shell first: it needs half the work of the whole browser. */
const knownPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** A Chromium for the browser specs: the one given, the machine's, Debian's, or Playwright's own. */
export async function ensureBrowser(): Promise<string> {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH: there is no file "${given}"`)
    return given
  }
  const installed = () => knownPaths.find((path) => existsSync(path))
  const found = installed()
  if (found) return found
  for (const browser of ['chromium-headless-shell', 'chromium']) {
    installPackages('Chromium for the browser tests', [browser, 'fonts-liberation'])
    const fresh = installed()
    if (fresh) return fresh
  }
  const own = chromium.executablePath()
  if (!existsSync(own)) {
    console.log("Fetching Playwright's Chromium for the browser tests (once)…")
    spawnSync(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'], {
      stdio: 'inherit',
    })
  }
  if (existsSync(own)) return own
  throw new Error(
    'The browser tests need Chromium. Install it, or set CHROMIUM_PATH to its executable.',
  )
}

/** One Chromium for all browser specs of a run; each story has a context of its own in it. */
export function launchSharedBrowser(executablePath: string): Promise<BrowserServer> {
  return chromium.launchServer({
    executablePath,
    host: '127.0.0.1',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      // No request leaves this machine. Not by a route of each page, which would turn off the browser's cache.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}

/** Installs Debian's packages, for root where there is apt-get. */
export function installPackages(what: string, packages: string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log(`Installing ${what} (once)…`)
  runAptGet('update', '-qq')
  runAptGet('install', '-y', '-qq', '--no-install-recommends', ...packages)
}

/** A fresh machine may still be busy with updates of its own, and a mirror may be busy for a moment. */
const patience = ['-o', 'Acquire::Retries=5', '-o', 'DPkg::Lock::Timeout=300']

function runAptGet(...args: string[]): void {
  spawnSync('apt-get', [...patience, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
