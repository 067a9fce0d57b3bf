import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { CannotStart } from './cannot-start.ts'
import { readConfig } from './config.ts'
import { startShopDatabase } from './db/open-shop-database.ts'
import { explainError } from './describe-error.ts'
import { openLog, openOutput } from './log.ts'
import { markRunning } from './running-mark.ts'
import type { OpenShop } from './shop.ts'
import { launchSandbox, wasInTestMode } from './sumup/sandbox-process.ts'

/** After this time open connections are closed. */
const requestTimeoutMs = 6_000
/** After this time the process exits, whatever hangs. */
const exitTimeoutMs = 14_000
/** A signal to the process group arrives twice: directly, and passed on by npm or the launcher (run.mjs). */
const sameRequestMs = 500
/** How often it is seen whether npm still runs: one that is killed cannot pass that on. */
const parentCheckMs = 500

/** Ctrl+C, a supervisor, a closed terminal, and the end of the launcher, which holds an IPC channel open, or of npm. */
const stopEvents = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const
type StopEvent = (typeof stopEvents)[number]

async function main(): Promise<void> {
  const stopRequested = Promise.withResolvers<StopEvent>()
  const stopRepeated = Promise.withResolvers<void>()
  let requestedAt = Infinity
  const requestStop = (event: StopEvent) => {
    if (performance.now() - requestedAt > sameRequestMs) stopRepeated.resolve()
    requestedAt = Math.min(requestedAt, performance.now())
    stopRequested.resolve(event)
  }
  for (const event of stopEvents) process.on(event, () => requestStop(event))
  onEndOfParent(() => requestStop('disconnect'))
  // A closed pipe for our output is no reason to stop the shop.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

  markRunning()
  const config = readConfig()
  for (const hint of config.hints) say(`Note: ${hint}`)
  const log = openLog(config.logLevel, openOutput())
  // A stop request during the start waits for its end, so that nothing is left behind.
  const { promise: loaded, resolve: setLoaded } = Promise.withResolvers<void>()
  const database = startShopDatabase(config, log, say, loaded)
  // Loaded while PostgreSQL starts, and no sooner: this process does nothing else until all is loaded.
  await database.launched
  const isTest = !config.payments.account && wasInTestMode(config.dataDir)
  const sandbox = isTest ? launchSandbox() : undefined
  const [{ openShop }, { createApp }, { listen }, { describeStart }] = await Promise.all([
    import('./shop.ts'),
    import('./app.ts'),
    import('./http/listen.ts'),
    import('./start-message.ts'),
  ])
  setLoaded()
  const shop = await openShop(config, log, say, { ...database, sandbox })
  const app = await createApp(shop)
  let closePort: () => Promise<void>
  try {
    closePort = await listen(app, config, log)
  } catch (error) {
    await shop.close()
    throw describeListenError(error, config)
  }
  say(await describeStart(shop))
  const event = await stopRequested.promise
  shop.startClosing()
  // Only a supervisor's signal: whoever presses Ctrl+C waits for it, and so does one who asks twice.
  if (event === 'SIGTERM' && config.drainMs > 0) {
    log.info({ seconds: config.drainMs / 1000 }, 'Still serving until the load balancer turns away')
    await Promise.race([delay(config.drainMs), stopRepeated.promise])
  }
  await stop(shop, app, closePort)
}

/** The parent is watched only if `--stop-with-parent=` names it: otherwise a shop may outlive its shell. */
function onEndOfParent(callback: () => void): void {
  const option = '--stop-with-parent='
  const parent = process.argv.find((arg) => arg.startsWith(option))?.slice(option.length)
  if (parent === undefined) return
  const watch = setInterval(() => {
    if (process.ppid === Number(parent)) return
    clearInterval(watch)
    callback()
  }, parentCheckMs)
  watch.unref()
}

async function stop(
  shop: OpenShop,
  app: FastifyInstance,
  closePort: () => Promise<void>,
): Promise<void> {
  setTimeout(() => process.exit(1), exitTimeoutMs).unref()
  const timeout = setTimeout(() => app.server.closeAllConnections(), requestTimeoutMs)
  await closePort()
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
