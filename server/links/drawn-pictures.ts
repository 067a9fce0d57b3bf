import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '#contract/refusals.ts'
import { createInTurnQueue, type Turn } from '#server/in-turn-queue.ts'

export type Drawn = {
  bytes: Buffer
  /** False where a picture was missing that may come: then the drawing is kept for a minute only. */
  isWhole: boolean
}

export type DrawnPictures = ReturnType<typeof openDrawnPictures>

/** At most 250 kB each. */
const defaultMaxKept = 1_000
/** In memory, of those that are not whole. */
const maxKeptUnwhole = 20
const unwholeForMs = 60_000

/**
 * Pictures that strangers ask for: drawn in a queue of their own, so that no upload of the owner waits for them, each once
 * for all who ask at once, and kept in this folder. Above `maxKept` the oldest are deleted.
 */
export function openDrawnPictures(
  folder: string,
  { maxKept = defaultMaxKept, now = () => performance.now() } = {},
) {
  const drawing = new Map<string, Promise<Drawn>>()
  /** The oldest first. Without them, whoever asks for such a picture again and again keeps the queue busy. */
  const unwhole = new Map<string, { drawn: Drawn; at: number }>()
  const inTurn = createInTurnQueue({
    maxRunning: 1,
    maxWaiting: 20,
    maxPerKey: 4,
    refuse: () => new Refusal('pictures-busy', { retryAfter: 5 }),
  })

  async function drawAndKeep(name: string, turn: Turn, draw: () => Promise<Drawn>): Promise<Drawn> {
    const drawn = await inTurn(draw, turn)
    // A full disk costs nobody the picture.
    if (drawn.isWhole) await keep(name, drawn.bytes).catch(() => {})
    else remember(name, drawn)
    return drawn
  }

  function remember(name: string, drawn: Drawn): void {
    unwhole.delete(name)
    const [oldest] = unwhole.size >= maxKeptUnwhole ? unwhole.keys() : []
    if (oldest !== undefined) unwhole.delete(oldest)
    unwhole.set(name, { drawn, at: now() })
  }

  function findUnwhole(name: string): Drawn | undefined {
    const known = unwhole.get(name)
    return known && now() - known.at < unwholeForMs ? known.drawn : undefined
  }

  async function keep(name: string, bytes: Buffer): Promise<void> {
    await mkdir(folder, { recursive: true })
    const draft = join(folder, `${randomBytes(8).toString('hex')}.draft`)
    await writeFile(draft, bytes)
    await rename(draft, join(folder, name))
    await deleteOldest()
  }

  async function deleteOldest(): Promise<void> {
    const names = await readdir(folder)
    if (names.length <= maxKept) return
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
        return { path, mtimeMs }
      }),
    )
    const oldest = files.toSorted((a, b) => a.mtimeMs - b.mtimeMs).slice(0, -maxKept)
    for (const { path } of oldest) await rm(path, { force: true })
  }

  return {
    /** Draws in turn, and keeps nothing. */
    inTurn,
    /** The picture of this name; `isNew` says that it had to be drawn. */
    async get(
      name: string,
      key: string,
      draw: () => Promise<Drawn>,
    ): Promise<Drawn & { isNew: boolean }> {
      const bytes = await readFile(join(folder, name)).catch(() => undefined)
      if (bytes) return { bytes, isWhole: true, isNew: false }
      const known = findUnwhole(name)
      if (known) return { ...known, isNew: false }
      let pending = drawing.get(name)
      if (!pending) {
        pending = drawAndKeep(name, { key }, draw).finally(() => drawing.delete(name))
        drawing.set(name, pending)
      }
      return { ...(await pending), isNew: true }
    },
  }
}
