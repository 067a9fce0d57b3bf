import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { resolve as resolvePath } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { apiRoutes } from '#contract/paths.ts'
import { patienceMs } from './wait-for.ts'

export type RunningShop = {
  process: ChildProcess
  address: string
  output: () => string
  /** The exit code, once it has ended. */
  ended: Promise<number | null>
  /** Resolves when it answers as ready; rejects with its output if it ends before. */
  ready: () => Promise<void>
}

const pollMs = 15
export const compileCache = resolvePath('node_modules', '.cache', 'compiled')

/** As npm starts it, the launcher alone, or (like further nodes) without either and with the options that they set. */
const commands = {
  'npm start': ['npm', 'start'],
  'run.mjs': [process.execPath, 'run.mjs', 'start'],
  'server/main.ts': [
    process.execPath,
    '--max-semi-space-size=16',
    '--max-old-space-size=1024',
    'server/main.ts',
  ],
}

/** Starts the shop as a process. */
export function startShop(
  program: keyof typeof commands,
  environment: Record<string, string>,
  port: number,
  /** Unread output costs nobody anything, but is not there to be shown. */
  { isUnread = false }: { isUnread?: boolean } = {},
): RunningShop {
  const [command = '', ...args] = commands[program]
  const child = spawn(command, args, {
    env: {
      // oxlint-disable-next-line node/no-process-env -- the tester's own
      PATH: process.env.PATH,
      // oxlint-disable-next-line node/no-process-env -- the tester's own
      HOME: process.env.HOME,
      // As set by the launcher: saves a third of the start.
      NODE_COMPILE_CACHE: compileCache,
      PORT: String(port),
      ...environment,
    },
    stdio: ['ignore', isUnread ? 'ignore' : 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (text) => (output += text))
  child.stderr?.on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const address = `http://127.0.0.1:${port}`

  async function ready(): Promise<void> {
    const deadline = Date.now() + patienceMs
    while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
      const response = await fetch(`${address}${apiRoutes.healthReady}`).catch(() => undefined)
      if (response?.ok) return
      await delay(pollMs)
    }
    throw new Error(`The shop did not open:\n${output}`)
  }

  return { process: child, address, output: () => output, ended, ready }
}

/** Below those that systems give to outgoing connections, one of which could take it before it is used. */
const [minPort, maxPort] = [12_000, 32_000]

/** Each process looks in another part of them, so that none finds free what another is about to use. */
const portsPerProcess = 40
let portsTried = 0

export async function freePort(): Promise<number> {
  const { port, release } = await holdPort()
  await release()
  return port
}

/** A free port that nobody else can take before it is released. */
export async function holdPort(): Promise<{ port: number; release: () => Promise<void> }> {
  for (;;) {
    const place = process.pid * portsPerProcess + portsTried
    const port = minPort + (place % (maxPort - minPort))
    portsTried += 1
    const server = createServer().unref()
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    const release = () => new Promise<void>((resolve) => server.close(() => resolve()))
    if (isFree) return { port, release }
  }
}
