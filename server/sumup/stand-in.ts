import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'
import type { Log } from '#server/http/log.ts'

const program = join(import.meta.dirname, '..', '..', 'sandbox', 'main.ts')
const readyWithinMs = 15_000

const readySchema = z.object({ url: z.string(), apiKey: z.string(), merchantCode: z.string() })

export type StandIn = {
  account: { apiUrl: string; apiKey: string; merchantCode: string }
  stop: () => Promise<void>
}

/**
 * Test mode: SumUp's stand-in as a program of its own beside the shop, on this machine only. It ends with
 * us, killed or not, because it watches the channel between us; what was paid in it survives restarts.
 */
export async function startStandIn(
  options: { dataDir: string; publicUrl: string; currency: string },
  log: Log,
): Promise<StandIn> {
  const folder = join(options.dataDir, 'sandbox')
  await mkdir(folder, { recursive: true })
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      PORT: '0',
      STATE_FILE: join(folder, 'journal.jsonl'),
      PUBLIC_URL: options.publicUrl,
      MERCHANT_CURRENCY: options.currency,
    },
  })
  child.stderr?.on('data', (text) =>
    log.warn({ sandbox: String(text).trim() }, 'The payment stand-in complains'),
  )
  const { url, apiKey, merchantCode } = await untilReady(child)
  return { account: { apiUrl: url, apiKey, merchantCode }, stop: () => end(child) }
}

async function untilReady(child: ChildProcess): Promise<z.output<typeof readySchema>> {
  const { promise, resolve, reject } = Promise.withResolvers<z.output<typeof readySchema>>()
  const late = setTimeout(
    () => reject(new CannotStart('The payment stand-in did not start in time.')),
    readyWithinMs,
  )
  child.once('message', (message) => resolve(readySchema.parse(message)))
  child.once('exit', (code) =>
    reject(new CannotStart(`The payment stand-in ended at its start (${code}).`)),
  )
  child.once('error', reject)
  try {
    return await promise
  } finally {
    clearTimeout(late)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
