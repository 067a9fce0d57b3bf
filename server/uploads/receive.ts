import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import { tooLarge } from './limits.ts'

export type Received = { path: string; md5: string; size: number }

/**
 * Writes bytes from outside to a new file of ours, counted as they arrive: what a sender says of
 * their number is not believed. Whatever goes wrong, no file is left.
 */
export async function receive(
  bytes: Readable,
  path: string,
  { most, brokenOff = 'upload-broken-off' }: { most: number; brokenOff?: RefusalCode },
): Promise<Received> {
  const hash = createHash('md5')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    // Not destroyed when we stop half-way, or the sender would never read why.
    for await (const chunk of bytes.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > most) throw tooLarge(most)
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error === bytes.errored ? new Refusal(brokenOff, { cause: error }) : error
  } finally {
    await file.close()
  }
  return { path, md5: hash.digest('hex'), size }
}
