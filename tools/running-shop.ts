import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { resolve as resolvePath } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { apiRoutes } from '#contract/paths.ts'

export type RunningShop = {
  process: ChildProcess
  address: string
  output: () => string
  /** The exit code, once it has ended. */
  ended: Promise<number | null>
  /** Resolves when it answers as ready; rejects with its output if it ends before. */
  ready: () => Promise<void>
}

const readyTimeoutMs = 40_000
const pollMs = 15
export const compileCache = resolvePath('node_modules', '.cache', 'compiled')

/** Starts the shop as a process, with or (like further nodes) without the launcher. */
export function startShop(
  program: 'run.mjs' | 'server/main.ts',
  environment: Record<string, string>,
  port: number,
): RunningShop {
  // The V8 option that the launcher sets.
  const args = program === 'run.mjs' ? [program, 'start'] : ['--max-semi-space-size=16', program]
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // As set by the launcher: saves a third of the start.
      NODE_COMPILE_CACHE: compileCache,
      PORT: String(port),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const address = `http://127.0.0.1:${port}`

  async function ready(): Promise<void> {
    const deadline = Date.now() + readyTimeoutMs
    while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
      const response = await fetch(`${address}${apiRoutes.healthReady}`).catch(() => undefined)
      if (response?.ok) return
      await delay(pollMs)
    }
    throw new Error(`The shop did not open:\n${output}`)
  }

  return { process: child, address, output: () => output, ended, ready }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
