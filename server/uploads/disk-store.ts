import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { openDiskParts } from './disk-parts.ts'
import { staleMs, unfinishedMs, uploadSeconds, type PictureStore } from './picture-store.ts'
import { receive, type Received } from './receive.ts'
import { signAddress } from './signed-address.ts'
import { copyDurably, dropStaleFiles, maybeLink, settle, type WorkFolder } from './work-folder.ts'

/** What the disk does besides: it takes the bytes itself, where S3 is sent them directly. */
export type Inbox = {
  receive: (bytes: Readable, most: number) => Promise<Received>
  /** From now on this file is what has arrived under the key. */
  arrive: (key: string, draft: string) => Promise<void>
  arriveAsPart: (uploadId: string, partNumber: number, received: Received) => Promise<void>
}

/** Pictures in a folder. Names in it are made of our own keys alone. */
export async function openDiskStore(
  folder: string,
  work: WorkFolder,
  secret: string,
): Promise<{ store: PictureStore; inbox: Inbox }> {
  const stored = join(folder, 'stored')
  const incoming = join(folder, 'incoming')
  await mkdir(stored, { recursive: true })
  await mkdir(incoming, { recursive: true })
  const parts = await openDiskParts(join(folder, 'parts'), work, incoming)

  const store: PictureStore = {
    async uploadUrl({ now, ...upload }, origin) {
      const address = origin + pathOf(apiRoutes.arrival, { key: upload.key })
      return signAddress(address, secret, { ...upload, expires: Math.floor(now) + uploadSeconds })
    },
    async partUrl({ now, uploadId, partNumber, ...upload }, origin) {
      const named = { key: upload.key, uploadId, partNumber: String(partNumber) }
      const expires = Math.floor(now) + uploadSeconds
      const part = { uploadId, partNumber }
      await parts.keepOpen(uploadId)
      return signAddress(origin + pathOf(apiRoutes.arrivalOfPart, named), secret, {
        ...upload,
        expires,
        part,
      })
    },

    // Linked, so that another file under the same key does not change what is being looked at.
    async maybeArrived(key) {
      const path = await maybeLink(join(incoming, key), work.newPath())
      return path ? { path, discard: () => rm(path, { force: true }) } : undefined
    },
    dropArrived: (key) => rm(join(incoming, key), { force: true }),

    async put(name, content) {
      const draft = work.newPath()
      if ('path' in content) await copyDurably(content.path, draft)
      else await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true })
      await settle(draft, stored, name)
    },
    maybeRead: (name) => maybeOpen(join(stored, name)),
    async remove(names) {
      await Promise.all(names.map((name) => rm(join(stored, name), { force: true })))
    },

    ...parts.store,

    async dropStale() {
      await dropStaleFiles(work.path, staleMs)
      for (const place of [incoming, parts.folder]) await dropStaleFiles(place, unfinishedMs)
    },
    maybeTrouble: async () => undefined,
  }
  const inbox: Inbox = {
    async receive(bytes, most) {
      try {
        return await receive(bytes, work.newPath(), { most })
      } catch (error) {
        // Read on and thrown away: whoever still sends reads no answer.
        bytes.resume()
        throw error
      }
    },
    arrive: (key, draft) => settle(draft, incoming, key),
    arriveAsPart: parts.arrive,
  }
  return { store, inbox }
}

async function maybeOpen(path: string): Promise<{ size: number; bytes: Readable } | undefined> {
  try {
    const file = await open(path)
    const { size } = await file.stat()
    return { size, bytes: file.createReadStream() }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
