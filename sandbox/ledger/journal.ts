import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync } from 'node:fs'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export type Journal<Entry> = {
  /** Starts a fresh file with what is left of the old one, so that it does not grow for ever. */
  begin(): void
  /** Written in one go, so that a kill keeps all of them or none. Durable ones outlive a power cut too. */
  write(entries: Entry[], options: { durable: boolean }): void
  close(): void
}

/**
 * A file of JSON lines that only grows while the program runs. Opening it replays every line.
 * Writes are synchronous: nobody can be told of a payment that is not yet in the file.
 */
export function openJournal<Entry>(
  file: string,
  replay: (entry: Entry) => void,
  snapshot: () => Entry[],
): Journal<Entry> {
  mkdirSync(dirname(file), { recursive: true })
  if (existsSync(file)) for (const entry of readEntries<Entry>(file)) replay(entry)
  let handle: number | undefined
  let closed = false

  function begin(): number {
    if (closed) throw new Error('The sandbox is closing: nothing more is written')
    if (handle !== undefined) return handle
    const fresh = `${file}.new`
    writeFileSync(fresh, snapshot().map(toLine).join(''), { mode: 0o600, flush: true })
    renameSync(fresh, file)
    handle = openSync(file, 'a')
    return handle
  }

  return {
    begin: () => void begin(),
    write(entries, { durable }) {
      const open = begin()
      appendFileSync(open, entries.map(toLine).join(''))
      if (durable) fsyncSync(open)
    },
    close() {
      closed = true
      if (handle === undefined) return
      fsyncSync(handle)
      closeSync(handle)
      handle = undefined
    },
  }
}

function readEntries<Entry>(file: string): Entry[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  // What follows the last line break was cut off by a kill: nobody was answered for it.
  lines.pop()
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Entry
    } catch (cause) {
      throw new Error(`${file}: line ${index + 1} is not readable`, { cause })
    }
  })
}

function toLine(entry: unknown): string {
  return `${JSON.stringify(entry)}\n`
}
