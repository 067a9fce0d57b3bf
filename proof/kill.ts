import { setTimeout as pause } from 'node:timers/promises'
import { findPostmaster } from '#server/db/embedded/postmaster.ts'
import { chanceOf } from './chance.ts'
import type { Stage } from './stage.ts'

const betweenServersMs = [600, 2_500] as const
const firstDatabaseMs = [3_000, 5_000] as const
const lastOneToo = 0.25
const betweenDatabasesMs = [12_000, 18_000] as const

/** Kills servers and the database, again and again, until it is told to stop. */
export function startKilling({ shops, databaseFolder }: Stage, seed: number) {
  const chance = chanceOf(seed)
  const stopping = new AbortController()
  const kills = { servers: 0, databases: 0 }

  async function every(
    first: readonly [number, number],
    later: readonly [number, number],
    strike: () => void | Promise<void>,
  ): Promise<void> {
    for (let span = first; ; span = later) {
      await pause(chance.between(...span), undefined, { signal: stopping.signal })
      await strike()
    }
  }

  const killServer = () => {
    const ready = shops.filter((shop) => shop.isReady())
    // On a slow machine hardly one would ever be up: the last one is mostly spared.
    if (ready.length < shops.length && !chance.happens(lastOneToo)) return
    if (chance.pick(ready)?.kill()) kills.servers += 1
  }
  const killDatabase = async () => {
    // Between two lives it has no process; a number alone might by now be somebody else's.
    const pid = await findPostmaster(databaseFolder)
    if (pid === undefined) return
    process.kill(pid, 'SIGKILL')
    kills.databases += 1
  }
  const rounds = [
    every(betweenServersMs, betweenServersMs, killServer),
    every(firstDatabaseMs, betweenDatabasesMs, killDatabase),
  ]
  return {
    kills,
    async stop() {
      stopping.abort()
      await Promise.allSettled(rounds)
    },
  }
}
