import { createHash, randomBytes } from 'node:crypto'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import { tooLarge, type ReceivedFile } from './picture-store.ts'

/** A folder for unfinished files, under random names. */
export type WorkFolder = { path: string; newPath: () => string }

export function openWorkFolder(path: string): WorkFolder {
  return { path, newPath: () => join(path, randomBytes(16).toString('hex')) }
}

/**
 * Writes a stream to a new file. Bytes are counted as they arrive, since a Content-Length may lie. On any error no file
 * is left.
 */
export async function receiveFile(
  bytes: Readable,
  path: string,
  { maxBytes, onAbort = 'upload-broken-off' }: { maxBytes: number; onAbort?: RefusalCode },
): Promise<ReceivedFile> {
  const hash = createHash('md5')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    // Not destroyed on return, or the sender could not read the refusal.
    for await (const chunk of bytes.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error === bytes.errored ? new Refusal(onAbort, { cause: error }) : error
  } finally {
    await file.close()
  }
  return { path, md5: hash.digest('hex'), size }
}

export async function deleteStaleFiles(folder: string, olderThanMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > olderThanMs) await rm(path, { recursive: true, force: true })
  }
}
