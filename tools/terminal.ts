import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CannotStart } from '#server/cannot-start.ts'
import type { Progress } from '#server/backup/create-backup.ts'

const barWidth = 24
const redrawMs = 100
/** From then on the time so far says something about the time left. */
const minGuessMs = 2_000

export type Bar = { onProgress: Progress; print: (line: string) => void }

/** A bar with the time left for each step on a terminal; elsewhere, such as in a log, a line for each tenth of it. */
export function showProgress(output: NodeJS.WriteStream = process.stdout): Progress {
  if (output.isTTY) return showBar(output).onProgress
  let current = { step: '', tenths: 0 }
  return ({ step, done, total }) => {
    const tenths = Math.floor(shareOf(done, total) * 10)
    if (current.step === step && tenths <= current.tenths) return
    current = { step, tenths }
    if (tenths > 0) output.write(`${step}: ${tenths * 10} % of ${total.toLocaleString('en')}\n`)
  }
}

/** A bar on a terminal, below the lines that are printed meanwhile; elsewhere only these lines. */
export function showBar(output: NodeJS.WriteStream = process.stdout): Bar {
  let current = { step: '', startedAt: 0, drawnAt: 0, share: 0 }
  /** While its step goes on, with the cursor at its end: what others write, such as an error, is never cleared with it. */
  let shown = ''
  const write = (text: string) => output.write(`${shown && clearLine}${text}`)
  return {
    onProgress({ step, done, total, detail = '' }) {
      if (!output.isTTY) return
      const now = Date.now()
      if (current.step !== step) current = { step, startedAt: now, drawnAt: 0, share: 0 }
      const share = shareOf(done, total)
      if (current.share === 1 || (share < 1 && now - current.drawnAt < redrawMs)) return
      current = { ...current, drawnAt: now, share }
      const filled = Math.round(share * barWidth)
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
      const percent = `${Math.floor(share * 100)} %`.padStart(5)
      const left = describeLeft(now - current.startedAt, share)
      const line = `${step.padEnd(9)} ${bar} ${percent}  ${left}${detail}`
      // One that is wrapped would take more than the line that is cleared.
      const fitting = line.slice(0, output.columns || undefined)
      write(share < 1 ? fitting : `${fitting}\n`)
      shown = share < 1 ? fitting : ''
    },
    print(line) {
      write(`${line}\n${shown}`)
      current.drawnAt = 0
    },
  }
}

const clearLine = '\r\u001B[K'

const shareOf = (done: number, total: number) => (total === 0 ? 1 : Math.min(done / total, 1))

function describeLeft(passedMs: number, share: number): string {
  if (share === 0 || share === 1 || passedMs < minGuessMs) return ''
  const seconds = Math.ceil((passedMs * (1 - share)) / share / 1000)
  return seconds < 90 ? `${seconds} s left  ` : `${Math.ceil(seconds / 60)} min left  `
}

/** Asks without showing what is typed. */
export async function askHidden(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new CannotStart(`${question.trim()} Set BACKUP_PASSPHRASE.`)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  terminal.on('SIGINT', () => process.exit(130))
  process.stdout.write(question)
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stdout.write('\n')
  }
}
