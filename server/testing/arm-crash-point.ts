import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { apiRoutes } from '#contract/paths.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { armCrashPoint, crashPoints, type CrashPoint } from '#server/crash-point.ts'
import type { TestShop } from './test-shop.ts'

/*
 * Both sides of a killing, for proofs. A process that is to die loads this file before the shop, with
 * --import, and is told its point by a variable; the shop itself knows no such setting, so that none can be
 * left on by mistake. A test opens a doomed sale and starts such processes.
 */
const pointVariable = 'TILL_CRASH_POINT'
// oxlint-disable-next-line node/no-process-env -- the only word that reaches a process before its program
const wanted = process.env[pointVariable]
if (wanted !== undefined)
  armCrashPoint(crashPoints.find((point) => point === wanted) ?? unknownPoint())

const doneWithinMs = 60_000

/** As nodes of one shop have it: what one of them signed, the other knows. */
const sharedSecret = 'a secret that all nodes of one shop know'

export type DoomedSale = Awaited<ReturnType<typeof openDoomedSale>>

/** A sale of one mug: a shop without a process to prepare it in, and processes to be killed. */
export async function openDoomedSale() {
  // Here and not above: the process that is to die needs none of it.
  const { addMug } = await import('./buyer.ts')
  const { temporaryFolder } = await import('./temporary-folder.ts')
  const { openTestShop } = await import('./test-shop.ts')
  const { freePort, startShop } = await import('#tools/running-shop.ts')

  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const shop = await openTestShop({
    webhookUrl: `${address}${apiRoutes.paymentWebhook}`,
    environment: { SESSION_SECRET: sharedSecret },
  })
  const { sandbox } = shop
  const environment = settingsFor(address, sandbox, shop.shop.pool.options, temporaryFolder())

  async function start(point?: CrashPoint) {
    const arms = {
      NODE_OPTIONS: '--import ./server/testing/arm-crash-point.ts',
      [pointVariable]: point ?? '',
    }
    const running = startShop('server/main.ts', { ...environment, ...(point && arms) }, port)
    after(() => running.process.kill('SIGKILL'))
    await running.ready()
    return {
      async kill() {
        running.process.kill('SIGKILL')
        await running.ended
      },
      /** Resolves when it is dead, with whether it still answered who was speaking to it. */
      async dies(call: Promise<unknown>): Promise<{ answered: boolean }> {
        const impatience = pause(doneWithinMs, undefined, { ref: false })
        const [{ status }] = await Promise.all([
          settled(call),
          Promise.race([running.ended, impatience]),
        ])
        assert.equal(running.process.signalCode, 'SIGKILL', running.output())
        return { answered: status === 'fulfilled' }
      },
    }
  }

  return { ...shop, mug: await addMug(shop), start, buyer: await browserAt(address, shop) }
}

/** The settings of a shop that keeps its books and takes its money where it is told. */
export function settingsFor(
  address: string,
  sandbox: Pick<Sandbox, 'url' | 'apiKey' | 'merchantCode' | 'sdkUrl'>,
  connection: {
    host?: string | undefined
    user?: string | undefined
    database?: string | undefined
  },
  dataDir: string,
) {
  const { host = '', user = '', database = '' } = connection
  return {
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    DATA_DIR: dataDir,
    PUBLIC_URL: address,
    SUMUP_API_URL: sandbox.url,
    SUMUP_API_KEY: sandbox.apiKey,
    SUMUP_MERCHANT_CODE: sandbox.merchantCode,
    SUMUP_SDK_URL: sandbox.sdkUrl,
    SESSION_SECRET: sharedSecret,
    LOG_LEVEL: 'warn',
    // Where the launcher keeps it: half the time of a start is reading the same files again.
    NODE_COMPILE_CACHE: join('node_modules', '.cache', 'compiled'),
  }
}

/** A buyer's browser. Before it goes online it speaks to the shop in this process, if there is one. */
export async function browserAt(address: string, shop?: TestShop) {
  const { buyerOf } = await import('./buyer.ts')
  // The page it came from gave it its cookie.
  const cookie = `till_buyer=${randomBytes(16).toString('base64url')}`
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
      signal: AbortSignal.timeout(doneWithinMs),
    })
    const body = await answer.text()
    return { statusCode: answer.status, cookies: [], body, json: () => JSON.parse(body) }
  }
  const buyer = buyerOf({ app: { inject } } as unknown as TestShop)
  return { ...buyer, goOnline: () => (isOnline = true) }
}

export async function until(what: string, look: () => Promise<boolean> | boolean): Promise<void> {
  for (const giveUpAt = Date.now() + doneWithinMs; !(await look()); await pause(20)) {
    if (Date.now() > giveUpAt) assert.fail(`waited in vain: ${what}`)
  }
}

async function settled(call: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [result] = await Promise.allSettled([call])
  return result
}

function unknownPoint(): never {
  throw new Error(`There is no crash point "${wanted}". There are: ${crashPoints.join(', ')}.`)
}
