import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { pipeline, type Duplex } from 'node:stream'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

export type Relay = Awaited<ReturnType<typeof openRelay>>

/** 2G at its best: half a second there and back. */
export const secondGeneration = { latencyMs: 250, bytesPerSecond: 30_000 }

const flapMs = 300

/** Longer than a slow browser needs to come to the request. */
const cutRuleTimeoutMs = 60_000

/**
 * A network between a browser and a shop that can be lost. Unlike a browser's own offline mode, it is the same for every
 * browser, and none of them is told.
 */
export async function openRelay(shopAddress: string) {
  const shopPort = Number(new URL(shopAddress).port)
  const clients = new Set<Socket>()
  let isCut = false
  let speed = { latencyMs: 0, bytesPerSecond: Infinity }
  let silence: PromiseWithResolvers<void> | undefined
  let cutRule: { text: string; isDelivered: boolean; onCut: () => void } | undefined

  const server = createServer((client) => {
    if (isCut) return void client.resetAndDestroy()
    const shop = connect(shopPort, '127.0.0.1')
    clients.add(client)
    client.on('close', () => clients.delete(client))
    /** Set while the answer to come is to be lost. */
    let appliedRule: typeof cutRule

    async function* carryRequests(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const part of carry(parts)) {
        if (cutRule && part.includes(cutRule.text)) {
          appliedRule = cutRule
          cutRule = undefined
          if (!appliedRule.isDelivered) return cutByRule()
        }
        yield part
      }
    }

    async function* carryAnswers(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const part of carry(parts)) {
        if (appliedRule) return cutByRule()
        yield part
      }
    }

    function cutByRule(): void {
      cut()
      appliedRule?.onCut()
    }

    // Whatever ends one side ends the other.
    const end = () => {
      client.destroy()
      shop.destroy()
    }
    pipeline(client as Duplex, carryRequests, shop as Duplex, end)
    pipeline(shop as Duplex, carryAnswers, client as Duplex, end)
  })

  async function* carry(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      const { latencyMs, bytesPerSecond } = speed
      const delayMs = latencyMs + (part.length / bytesPerSecond) * 1000
      if (delayMs > 0) await pause(delayMs)
      await silence?.promise
      yield part
    }
  }

  function cut(): void {
    isCut = true
    for (const client of clients) client.resetAndDestroy()
  }

  function restore(): void {
    isCut = false
    speed = { latencyMs: 0, bytesPerSecond: Infinity }
    silence?.resolve()
    silence = undefined
    cutRule = undefined
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    restore()
    cut()
    server.close()
  })

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Ends what is under way, and refuses what comes. */
    cut,
    restore,
    /** Nothing arrives and nothing fails, as in a tunnel; what is under way arrives afterwards. */
    silence: () => void (silence ??= Promise.withResolvers()),
    slowDown: (to: typeof speed) => void (speed = to),
    /** Back and lost again, ten times; in the end it is back. */
    async flap(): Promise<void> {
      for (let times = 0; times < 10; times += 1) {
        restore()
        await pause(flapMs)
        cut()
        await pause(flapMs)
      }
      restore()
    },
    /** Cuts at the next request with this text, which reaches the shop or not; its answer is lost in any case. */
    cutAt(text: string, { isDelivered }: { isDelivered: boolean }): Promise<void> {
      const lost = Promise.withResolvers<void>()
      cutRule = { text, isDelivered, onCut: lost.resolve }
      const giveUp = () => lost.reject(new Error(`No request with "${text}" has come`))
      setTimeout(giveUp, cutRuleTimeoutMs).unref()
      // A story that fails before it waits for this has an error of its own.
      lost.promise.catch(() => {})
      return lost.promise
    },
  }
}
