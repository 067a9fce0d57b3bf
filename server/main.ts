import { setTimeout as delay } from 'node:timers/promises'
import { createApp } from './app.ts'
import { CannotStart } from './cannot-start.ts'
import { readConfig } from './config.ts'
import { explainError } from './describe-error.ts'
import { bufferLines, openLog } from './http/log.ts'
import { markRunning } from './running-mark.ts'
import { openShop, type OpenShop } from './shop.ts'
import { describeStart } from './start-message.ts'

/** After this time open connections are closed. */
const requestTimeoutMs = 6_000
/** After this time the process exits, whatever hangs. */
const exitTimeoutMs = 14_000
/** A signal to the process group arrives twice: directly, and passed on by the launcher (run.mjs). */
const sameRequestMs = 500

/** Ctrl+C, a supervisor, a closed terminal, and the end of the launcher, which holds an IPC channel open. */
const stopEvents = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const
type StopEvent = (typeof stopEvents)[number]

async function main(): Promise<void> {
  const stopRequested = Promise.withResolvers<StopEvent>()
  const stopRepeated = Promise.withResolvers<void>()
  let requestedAt = Infinity
  for (const event of stopEvents)
    process.on(event, () => {
      if (performance.now() - requestedAt > sameRequestMs) stopRepeated.resolve()
      requestedAt = Math.min(requestedAt, performance.now())
      stopRequested.resolve(event)
    })
  // A closed pipe for our output is no reason to stop the shop.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

  markRunning()
  const config = readConfig()
  for (const hint of config.hints) say(`Note: ${hint}`)
  const log = openLog(config.logLevel, bufferLines(process.stdout))
  // A stop request during the start waits for its end, so that nothing is left behind.
  const shop = await openShop(config, log, say)
  const app = await createApp(shop)
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await shop.close()
    throw describeListenError(error, config)
  }
  say(describeStart(shop))
  const event = await stopRequested.promise
  shop.startClosing()
  // Only a supervisor's signal: whoever presses Ctrl+C waits for it, and so does one who asks twice.
  if (event === 'SIGTERM' && config.drainMs > 0) {
    log.info({ seconds: config.drainMs / 1000 }, 'Still serving until the load balancer turns away')
    await Promise.race([delay(config.drainMs), stopRepeated.promise])
  }
  await stop(shop, app)
}

async function stop(shop: OpenShop, app: Awaited<ReturnType<typeof createApp>>): Promise<void> {
  setTimeout(() => process.exit(1), exitTimeoutMs).unref()
  const timeout = setTimeout(() => app.server.closeAllConnections(), requestTimeoutMs)
  await app.close()
  clearTimeout(timeout)
  await shop.close()
  process.exit(0)
}

function describeListenError(
  error: unknown,
  { host, port }: { host: string; port: number },
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return new CannotStart(
        `Port ${port} is taken. Choose another one, for example: PORT=${port + 1} npm start`,
      )
    case 'EACCES':
      return new CannotStart(
        `Port ${port} may not be used by you. Choose one above 1024 with PORT=`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CannotStart(
        `HOST: ${host} is not an address of this machine, for example HOST=127.0.0.1`,
      )
    default:
      return error
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof CannotStart ? error.message : explainError(error)}\n`)
  process.exit(1)
}

process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
await main().catch(fail)
