import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** A shop that cannot start, because its database is away, tries again a little later. */
const nextStartMs = 200
const rememberedCharacters = 4_000

/** A life that nobody ended: how far it had come, and what it said. */
export type OwnEnd = { wasOpen: boolean; words: string }

export type KeptShop = ReturnType<typeof keepShop>

/** A server process that is started again whenever it ends, as every host does. */
export function keepShop(program: string, environment: Record<string, string>, port: number) {
  const address = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let isReady = false
  const stopping = new AbortController()
  let lastWords = ''
  const ownEnds: OwnEnd[] = []
  const running = keep()

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      const server = spawn(process.execPath, [program], {
        // The channel is for the end: a shop whose keeper is gone ends too.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: { PORT: String(port), PUBLIC_URL: address, ...environment },
      })
      child = server
      lastWords = ''
      const hear = (text: unknown) => {
        lastWords = `${lastWords}${String(text)}`.slice(-rememberedCharacters)
        // Its first word about where it is comes when it listens.
        if (String(text).includes(address)) isReady = true
      }
      server.stdout?.on('data', hear)
      server.stderr?.on('data', hear)
      const [, signal] = (await once(server, 'exit')) as [number | null, string | null]
      const wasReady = isReady
      isReady = false
      if (signal === 'SIGKILL' || stopping.signal.aborted) continue
      ownEnds.push({ wasOpen: wasReady, words: firstLineOf(lastWords) })
      await pause(nextStartMs)
    }
  }

  return {
    address,
    ownEnds,
    isReady: () => isReady,
    lastWords: () => lastWords,
    /** Only a shop that is up: one that is never let up proves nothing. */
    kill(): boolean {
      if (!isReady || !child) return false
      isReady = false
      return child.kill('SIGKILL')
    },
    async stop(): Promise<void> {
      stopping.abort()
      child?.kill('SIGTERM')
      await running
    },
  }
}

/** Of a stack the line that says what happened. */
function firstLineOf(words: string): string {
  const lines = words.trim().split('\n')
  return lines.find((line) => /Error|cannot/i.test(line)) ?? lines.at(-1) ?? ''
}
