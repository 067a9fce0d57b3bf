import { createApp } from './app.ts'
import { CannotStart } from './cannot-start.ts'
import { readConfig } from './config.ts'
import { openLog } from './http/log.ts'
import { openShop } from './shop.ts'
import { describeStart } from './start-message.ts'

/** After this long a request that hangs no longer holds up the end of the shop. */
const closeWithinMs = 10_000

async function main(): Promise<void> {
  const config = readConfig()
  for (const hint of config.hints) say(`Note: ${hint}`)
  const log = openLog(config.logLevel, process.stdout)
  const shop = await openShop(config, log, say)
  const app = await createApp(shop)

  let ending: Promise<void> | undefined
  async function end(): Promise<void> {
    shop.startClosing()
    const impatience = setTimeout(() => app.server.closeAllConnections(), closeWithinMs)
    await app.close()
    clearTimeout(impatience)
    await shop.close()
    process.exit(0)
  }
  const endOnce = () => {
    ending ??= end().catch(fail)
  }
  process.on('SIGINT', endOnce)
  process.on('SIGTERM', endOnce)
  // The launcher holds this channel open: when it is killed, the shop ends in order too.
  process.on('disconnect', endOnce)

  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await shop.close()
    throw describeListenFault(error, config)
  }
  say(describeStart(shop))
}

function describeListenFault(
  error: unknown,
  { host, port }: { host: string; port: number },
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new CannotStart(
      `Port ${port} is taken. Choose another one, for example: PORT=${port + 1} npm start`,
    )
  }
  if (code === 'EACCES')
    return new CannotStart(`Port ${port} may not be used by you. Choose one above 1024 with PORT=`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CannotStart(
      `HOST: ${host} is not an address of this machine, for example HOST=127.0.0.1`,
    )
  }
  return error
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(error: unknown): never {
  const reason = error instanceof CannotStart ? error.message : (error as Error)?.stack
  process.stderr.write(`${reason ?? String(error)}\n`)
  process.exit(1)
}

process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
await main().catch(fail)
