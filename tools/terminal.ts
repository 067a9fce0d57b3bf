import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CannotStart } from '#server/cannot-start.ts'
import type { Progress } from '#server/backup/create-backup.ts'

const barWidth = 24
const redrawMs = 100

/** A bar for each step on a terminal; elsewhere, such as in a log, one line when a step is done. */
export function showProgress(output: NodeJS.WriteStream = process.stdout): Progress {
  let drawnAt = 0
  let finished = ''
  return ({ step, done, total, detail = '' }) => {
    const isDone = done >= total
    if (finished === step) return
    if (isDone) finished = step
    if (!output.isTTY) {
      if (isDone) output.write(`${step}: ${total.toLocaleString('en')} done\n`)
      return
    }
    if (!isDone && Date.now() - drawnAt < redrawMs) return
    drawnAt = Date.now()
    const share = total === 0 ? 1 : done / total
    const filled = Math.round(share * barWidth)
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
    const percent = `${Math.floor(share * 100)} %`.padStart(5)
    output.write(`\r\u001B[K${step.padEnd(9)} ${bar} ${percent}  ${isDone ? '\n' : detail}`)
  }
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
