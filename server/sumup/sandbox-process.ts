import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal } from '#contract/refusals.ts'
import { CannotStart } from '#server/cannot-start.ts'
import type { Log } from '#server/log.ts'

const program = join(import.meta.dirname, '..', '..', 'sandbox', 'main.ts')
/** For a busy machine. That it ended instead is noticed at once. */
const startTimeoutMs = 60_000

const readySchema = z.object({ url: z.string(), apiKey: z.string(), merchantCode: z.string() })

export type SandboxProcess = {
  account: { apiUrl: string; apiKey: string; merchantCode: string }
  stop: () => Promise<void>
}

/**
 * The sandbox's process, which waits for its settings. It watches the IPC channel and ends with the shop, even after
 * SIGKILL.
 */
export function launchSandbox(): ChildProcess {
  // Node's folder of this version and these options lies in the one that it was given.
  const compiled = getCompileCacheDir()
  // A megabyte for young objects is plenty for one shop's payments.
  const args = ['--max-semi-space-size=1', program, '--settings-follow']
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Saves two thirds of its start and 20 MB.
    env: compiled ? { NODE_COMPILE_CACHE: dirname(compiled) } : {},
  })
  // Told to whoever waits for it.
  child.on('error', () => {})
  return child
}

const folderOf = (dataDir: string) => join(dataDir, 'sandbox')
/** Tells the next start that the shop is in test mode, mostly. */
const markOf = (dataDir: string) => join(folderOf(dataDir), 'in-use')

export function wasInTestMode(dataDir: string): boolean {
  return existsSync(markOf(dataDir))
}

/** The shop has an account at SumUp. */
export async function leaveTestMode(dataDir: string): Promise<void> {
  await rm(markOf(dataDir), { force: true }).catch(() => {})
}

/** Test mode: the sandbox as a child process on this machine. Its payments survive restarts. */
export async function openSandbox(
  options: { dataDir: string; publicUrl: string; currency: string },
  log: Log,
  launched?: ChildProcess,
): Promise<SandboxProcess> {
  const folder = folderOf(options.dataDir)
  await mkdir(folder, { recursive: true })
  // Without it the next start takes longer, and that is all.
  await writeFile(markOf(options.dataDir), '').catch(() => {})
  const child = launched ?? launchSandbox()
  child.stderr?.on('data', (text) =>
    log.warn({ sandbox: String(text).trim() }, 'The payment sandbox wrote to stderr'),
  )
  child.send({
    PORT: '0',
    STATE_FILE: join(folder, 'journal.jsonl'),
    PUBLIC_URL: options.publicUrl,
    MERCHANT_CURRENCY: options.currency,
  })
  try {
    const { url, apiKey, merchantCode } = await waitUntilReady(child)
    return { account: { apiUrl: url, apiKey, merchantCode }, stop: () => stopSandbox(child) }
  } catch (error) {
    await stopSandbox(child)
    throw error
  }
}

async function waitUntilReady(child: ChildProcess): Promise<z.output<typeof readySchema>> {
  const { promise, resolve, reject } = Promise.withResolvers<z.output<typeof readySchema>>()
  const { exitCode, signalCode } = child
  if (hasEnded(child))
    reject(new CannotStart(`The payment sandbox ended at its start (${exitCode ?? signalCode}).`))
  const timeout = setTimeout(
    () => reject(new CannotStart('The payment sandbox did not start in time.')),
    startTimeoutMs,
  )
  child.once('message', (message) => resolve(readySchema.parse(message)))
  child.once('exit', (code) =>
    reject(new CannotStart(`The payment sandbox ended at its start (${code}).`)),
  )
  child.once('error', reject)
  try {
    return await promise
  } finally {
    clearTimeout(timeout)
  }
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null
}

export async function stopSandbox(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** The path of the sandbox's widget and pages on the shop's own origin. */
export const sandboxPath = '/sandbox'

const proxyTimeoutMs = 20_000
const forwardedHeaders = [
  'content-type',
  'cache-control',
  'access-control-allow-origin',
  'content-security-policy',
  'location',
]

/**
 * Proxies buyers' browsers to the sandbox, so that test mode works wherever the shop is reachable. The x-forwarded
 * headers tell the sandbox to keep its controls closed. Without a sandbox (`findUrl`) there is no such page.
 */
export async function mountSandbox(
  app: FastifyInstance,
  findUrl: () => string | undefined,
): Promise<void> {
  // In a scope of its own: the bank's page posts a form, and the rest of the shop accepts only JSON.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body)
    scope.route<{ Params: { '*': string }; Body: Buffer | undefined }>({
      method: ['GET', 'POST', 'PUT', 'OPTIONS'],
      url: `${sandboxPath}/*`,
      config: { access: 'public', bringsOwnPolicy: true },
      handler: async (request, reply) => {
        const apiUrl = findUrl()
        if (!apiUrl) return reply.callNotFound()
        const answer = await forward(apiUrl, request)
        for (const name of forwardedHeaders) {
          const value = answer.headers.get(name)
          if (value) reply.header(name, value)
        }
        return reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()))
      },
    })
  })
}

async function forward(
  apiUrl: string,
  request: FastifyRequest<{ Params: { '*': string }; Body: Buffer | undefined }>,
): Promise<Response> {
  const target = new URL(apiUrl)
  target.pathname = request.params['*']
  target.search = new URL(request.url, apiUrl).search
  const { 'content-type': type } = request.headers
  return fetch(target, {
    method: request.method,
    headers: {
      'x-forwarded-for': request.ip,
      'x-forwarded-host': request.host,
      'x-forwarded-proto': request.protocol,
      'x-forwarded-prefix': sandboxPath,
      ...(type && { 'content-type': type }),
    },
    ...(request.body && { body: new Uint8Array(request.body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(proxyTimeoutMs),
  }).catch((cause: unknown) => {
    throw new Refusal('payments-away', { cause })
  })
}
