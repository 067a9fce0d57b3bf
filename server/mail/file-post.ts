import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Post } from './post.ts'

/** Into a folder that only its owner enters. The name is made of the mail's id, so a repeat replaces the first. */
export function filePost(folder: string): Post {
  return {
    async send(letter, { id, kind, createdAt }) {
      const { createTransport } = await import('nodemailer')
      const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await writer.sendMail(letter)
      if (!Buffer.isBuffer(message)) throw new Error('a letter was not written whole')
      const file = join(folder, `${createdAt.toISOString().slice(0, 10)}-${kind}-${id}.eml`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${file}.part`, message, { mode: 0o600, flush: true })
      await rename(`${file}.part`, file)
    },
    close() {},
  }
}
