import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CannotStart } from '#server/cannot-start.ts'
import type { Progress } from '#server/backup/create-backup.ts'

const barWidth = 24
const redrawMs = 100
/** From then on the time so far says something about the time left. */
const minGuessMs = 2_000

/** A bar with the time left for each step on a terminal; elsewhere, such as in a log, a line for each tenth of it. */
export function showProgress(output: NodeJS.WriteStream = process.stdout): Progress {
  let current = { step: '', startedAt: 0, drawnAt: 0, tenths: 0 }
  return ({ step, done, total, detail = '' }) => {
    const now = Date.now()
    if (current.step !== step) current = { step, startedAt: now, drawnAt: 0, tenths: 0 }
    if (current.tenths === 10) return
    const share = total === 0 ? 1 : Math.min(done / total, 1)
    const tenths = Math.floor(share * 10)
    const isNext = tenths > current.tenths
    current.tenths = tenths
    if (!output.isTTY) {
      if (isNext) output.write(`${step}: ${tenths * 10} % of ${total.toLocaleString('en')}\n`)
      return
    }
    if (share < 1 && now - current.drawnAt < redrawMs) return
    current.drawnAt = now
    const filled = Math.round(share * barWidth)
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
    const percent = `${Math.floor(share * 100)} %`.padStart(5)
    const left = describeLeft(now - current.startedAt, share)
    output.write(`\r\u001B[K${step.padEnd(9)} ${bar} ${percent}  ${left}${detail}`)
    if (share === 1) output.write('\n')
  }
}

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
