import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { apiRoutes } from '#contract/paths.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { armCrashPoint, crashPoints, type CrashPoint } from '#server/crash-point.ts'
import { toDatabaseUrl } from './test-database.ts'
import type { TestShop } from './test-shop.ts'
import { patienceMs } from './wait-for.ts'

/*
 * Crash tests: a test starts shop processes that load this file with --import and kill themselves at the crash point
 * named in a variable. The shop itself has no such setting, so none can be left on by mistake.
 */
const pointVariable = 'TILL_CRASH_POINT'
// oxlint-disable-next-line node/no-process-env -- read before the program starts
const wanted = process.env[pointVariable]
if (wanted !== undefined)
  armCrashPoint(crashPoints.find((point) => point === wanted) ?? unknownPoint())

/** The environment of a process that is to die at this point. */
export function crashEnvironment(point: CrashPoint) {
  return { NODE_OPTIONS: `--import ${import.meta.filename}`, [pointVariable]: point }
}

/**
 * With `--all` (`npm run proof -- crashes`) every story is told for every crash point and caller; `npm test` kills a
 * process once at each point.
 */
export const isFullProof = process.argv.includes('--all')

/** Nodes of one shop share their secret. */
const sharedSecret = 'a secret that all nodes of one shop know'

export type CrashTest = Awaited<ReturnType<typeof openCrashTest>>

/** A shop in this process to prepare a sale in, and shop processes on the same database to kill. */
export async function openCrashTest() {
  // Imported here, because the process to kill loads this file too.
  const { addMug } = await import('./buyer.ts')
  const { temporaryFolder } = await import('./temporary-folder.ts')
  const { openTestShop } = await import('./test-shop.ts')
  const { freePort, startShop } = await import('./running-shop.ts')

  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const shop = await openTestShop({
    webhookUrl: `${address}${apiRoutes.paymentWebhook}`,
    environment: { SESSION_SECRET: sharedSecret },
  })
  const { sandbox } = shop
  const environment = createSettings(address, sandbox, shop.shop.pool.options, temporaryFolder())

  async function start(point?: CrashPoint) {
    const arms = point && crashEnvironment(point)
    const running = startShop('server/main.ts', { ...environment, ...arms }, port)
    after(() => running.process.kill('SIGKILL'))
    await running.ready()
    return {
      async kill() {
        running.process.kill('SIGKILL')
        await running.ended
      },
      /** Resolves when the process is dead, with whether the call was still answered. */
      async dies(call: () => Promise<unknown>): Promise<{ answered: boolean }> {
        const timeout = pause(patienceMs, undefined, { ref: false })
        const [{ status }] = await Promise.all([
          settled(untilAnswered(call)),
          Promise.race([running.ended, timeout]),
        ])
        assert.equal(running.process.signalCode, 'SIGKILL', running.output())
        return { answered: status === 'fulfilled' }
      },
    }
  }

  return { ...shop, mug: await addMug(shop), start, buyer: await openBrowserAt(address, shop) }
}

/** Settings of a shop on this database and SumUp sandbox. */
export function createSettings(
  address: string,
  sandbox: Pick<Sandbox, 'url' | 'apiKey' | 'merchantCode' | 'sdkUrl'>,
  connection: ClientConfig,
  dataDir: string,
) {
  return {
    DATABASE_URL: toDatabaseUrl(connection),
    DATA_DIR: dataDir,
    PUBLIC_URL: address,
    SUMUP_API_URL: sandbox.url,
    SUMUP_API_KEY: sandbox.apiKey,
    SUMUP_MERCHANT_CODE: sandbox.merchantCode,
    SUMUP_SDK_URL: sandbox.sdkUrl,
    SESSION_SECRET: sharedSecret,
    LOG_LEVEL: 'warn',
  }
}

/** A buyer's browser. Before `goOnline` it calls the shop in this process, if there is one. */
export async function openBrowserAt(address: string, shop?: TestShop) {
  const { createBuyer } = await import('./buyer.ts')
  const { formatBuyerToken } = await import('#server/orders/buyer.ts')
  // As set by the checkout page.
  const cookie = `till_buyer=${formatBuyerToken(randomBytes(16).toString('base64url'), sharedSecret)}`
  let isOnline = shop === undefined
  const inject = async (call: {
    method: 'GET' | 'POST' | 'PUT'
    url: string
    payload?: object
  }) => {
    if (shop && !isOnline) return shop.app.inject({ ...call, headers: { cookie } })
    const answer = await fetch(`${address}${call.url}`, {
      method: call.method,
      headers: { cookie, ...(call.payload ? { 'content-type': 'application/json' } : {}) },
      ...(call.payload ? { body: JSON.stringify(call.payload) } : {}),
      signal: AbortSignal.timeout(patienceMs),
    })
    const body = await answer.text()
    return { statusCode: answer.status, cookies: [], body, json: () => JSON.parse(body) }
  }
  const buyer = createBuyer({ app: { inject } } as unknown as TestShop)
  return {
    ...buyer,
    goOnline: () => (isOnline = true),
    async arrive(productId: string): Promise<string> {
      const { checkoutId } = (await untilAnswered(() => buyer.open(productId))).json()
      await untilAnswered(() => buyer.saveDetails(checkoutId))
      return checkoutId
    },
  }
}

/**
 * What the shop answers once SumUp has answered it. Where that took longer than the shop waits, on a machine that others
 * keep busy, it asks again, as the page does.
 */
export async function untilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (const giveUpAt = performance.now() + patienceMs; ; await pause(500)) {
    const answer = await call()
    const { statusCode = 200 } = answer as { statusCode?: number }
    if (![202, 503].includes(statusCode) || performance.now() > giveUpAt) return answer
  }
}

async function settled(call: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [result] = await Promise.allSettled([call])
  return result
}

function unknownPoint(): never {
  throw new Error(`There is no crash point "${wanted}". There are: ${crashPoints.join(', ')}.`)
}
