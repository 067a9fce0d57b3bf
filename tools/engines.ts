import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#server/testing/running-shop.ts'
import { installPackages } from '#tools/browser.ts'

/*
 * The browsers besides Chromium: Debian's Firefox, which speaks Marionette (WebDriver over a socket), and WebKitGTK's
 * small browser behind its WebDriver server, on a display that nobody sees.
 */

export type OtherEngine = 'firefox' | 'webkit'

const programs: Record<OtherEngine, { packages: string[]; find: () => string | undefined }> = {
  firefox: {
    packages: ['firefox-esr'],
    find: () => ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path)),
  },
  webkit: {
    packages: ['webkit2gtk-driver', 'xvfb'],
    find: () =>
      ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'].every((path) => existsSync(path))
        ? globSync('/usr/lib/{*/,}webkit{2,}gtk-*/MiniBrowser').toSorted().at(-1)
        : undefined,
  },
}

/** Why the stories of this browser cannot run, or undefined. */
export function findMissing(engine: OtherEngine): string | undefined {
  const { packages, find } = programs[engine]
  return find() ? undefined : `${engine} is not installed (Debian: ${packages.join(', ')})`
}

/** Installs a browser where that is possible, and says so where its stories will be skipped. */
export function ensureEngine(engine: OtherEngine): void {
  if (!findMissing(engine)) return
  installPackages(`${engine} for its browser stories`, programs[engine].packages)
  const missing = findMissing(engine)
  if (missing) console.log(`SKIPPED: the browser stories in ${engine}. ${missing}`)
}

export type RunningEngine = {
  port: number
  browserPath: string
  /** What the browser has printed since it was last taken. Firefox prints what its pages log. */
  takeLog: () => string
  stop: () => Promise<void>
}

/** With settings of Firefox's own, as in about:config. */
export async function startEngine(
  engine: OtherEngine,
  preferences: Record<string, string | number | boolean> = {},
): Promise<RunningEngine> {
  const browserPath = programs[engine].find()
  if (!browserPath) throw new Error(findMissing(engine))
  const folder = await mkdtemp(join(tmpdir(), `till-${engine}-`))
  const children: ChildProcess[] = []
  let log = ''

  function takeLog(): string {
    const taken = log
    log = ''
    return taken
  }

  function start(command: string, args: string[], env: Record<string, string> = {}): ChildProcess {
    const child = spawn(command, args, {
      // Its cache and settings are no one else's.
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, '.config'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const keep = (part: Buffer) => void (log += part.toString())
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    children.unshift(child)
    return child
  }

  const killAll = () => children.forEach((child) => child.kill('SIGKILL'))
  process.once('exit', killAll)
  // A run that is stopped ends its processes by this signal, without their hooks.
  process.once('SIGTERM', endProcess)

  async function stop(): Promise<void> {
    process.off('exit', killAll)
    process.off('SIGTERM', endProcess)
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill()
      await Promise.race([once(child, 'exit'), pause(5_000)])
      child.kill('SIGKILL')
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    const port = await (engine === 'firefox' ? startFirefox() : startWebKitDriver())
    return { port, browserPath, takeLog, stop }
  } catch (error) {
    await stop()
    throw error
  }

  async function startFirefox(): Promise<number> {
    const lines = Object.entries({ ...firefoxPreferences, ...preferences }).map(
      (preference) => `user_pref(${preference.map((part) => JSON.stringify(part)).join()});`,
    )
    await writeFile(join(folder, 'user.js'), lines.join('\n'))
    const args = ['--headless', '--marionette', '--no-remote', '--profile', folder]
    const firefox = start(browserPath ?? '', args)
    const portFile = join(folder, 'MarionetteActivePort')
    return waitUntil(firefox, () => existsSync(portFile) && Number(readFileSync(portFile, 'utf8')))
  }

  async function startWebKitDriver(): Promise<number> {
    const screen = start('Xvfb', ['-displayfd', '1', '-screen', '0', '1400x1000x24'])
    let display = ''
    screen.stdout?.on('data', (part) => (display += part))
    await waitUntil(screen, () => display.endsWith('\n'))
    const gtkFolder = join(folder, '.config', 'gtk-3.0')
    await mkdir(gtkFolder, { recursive: true })
    await writeFile(join(gtkFolder, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n')
    const port = await freePort()
    const driver = start('WebKitWebDriver', [`--port=${port}`], {
      DISPLAY: `:${display.trim()}`,
      // No sound, settings or other service of a desktop is waited for.
      GIO_USE_VFS: 'local',
      GSETTINGS_BACKEND: 'memory',
      NO_AT_BRIDGE: '1',
      // Without a graphics card, pages in layers take half as much work again.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    })
    await waitUntil(driver, () =>
      fetch(`http://127.0.0.1:${port}/status`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    return port
  }
}

function endProcess(): void {
  process.exit(1)
}

/**
 * Any free port, no animations, what pages log is printed, their errors too; and whatever is not on this machine goes to
 * a proxy that does not exist.
 */
const firefoxPreferences = {
  'marionette.port': 0,
  'ui.prefersReducedMotion': 1,
  'devtools.console.stdout.content': true,
  'browser.dom.window.dump.enabled': true,
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
}

const startTimeoutMs = 60_000

async function waitUntil<Value>(
  child: ChildProcess,
  look: () => Value | Promise<Value>,
): Promise<Exclude<Value, false>> {
  for (const giveUpAt = Date.now() + startTimeoutMs; Date.now() < giveUpAt; await pause(50)) {
    const seen = await look()
    if (seen) return seen as Exclude<Value, false>
    if (child.exitCode !== null || child.signalCode !== null) break
  }
  throw new Error(`${child.spawnfile} did not start`)
}
