import { createApp } from './app.ts'
import { CannotStart } from './cannot-start.ts'
import { readConfig } from './config.ts'
import { explainError } from './describe-error.ts'
import { openLog } from './http/log.ts'
import { openShop, type OpenShop } from './shop.ts'
import { describeStart } from './start-message.ts'

/** After this long a request that hangs no longer holds up the end of the shop. */
const finishRequestsMs = 6_000
/** Whatever hangs: a shop that was told to end has ended by then. */
const endWithinMs = 14_000

/** Ctrl+C, a supervisor, a closed terminal, and a killed launcher, which held this channel open. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const

async function main(): Promise<void> {
  const told = Promise.withResolvers<void>()
  for (const ending of endings) process.on(ending, () => told.resolve())
  // A reader of our output that went away is no reason to close the shop.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

  const config = readConfig()
  for (const hint of config.hints) say(`Note: ${hint}`)
  const log = openLog(config.logLevel, process.stdout)
  // Told to end while opening: the step under way is finished first, so that nothing is left behind.
  const shop = await openShop(config, log, say)
  const app = await createApp(shop)
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await shop.close()
    throw describeListenFault(error, config)
  }
  say(describeStart(shop))
  await told.promise
  await end(shop, app)
}

async function end(shop: OpenShop, app: Awaited<ReturnType<typeof createApp>>): Promise<void> {
  setTimeout(() => process.exit(1), endWithinMs).unref()
  shop.startClosing()
  const impatience = setTimeout(() => app.server.closeAllConnections(), finishRequestsMs)
  await app.close()
  clearTimeout(impatience)
  await shop.close()
  process.exit(0)
}

function describeListenFault(
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
