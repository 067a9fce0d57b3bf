import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '#contract/refusals.ts'
import { tooLarge } from './limits.ts'
import type { NamedPart, Part, PictureStore } from './picture-store.ts'
import type { Received } from './receive.ts'
import { settle, type WorkFolder } from './work-folder.ts'

/** A part is a file named 7.md5: its number, and what its sender was answered. */
const partName = /^(\d{1,5})\.([0-9a-f]{32})$/

/** Uploads in parts, each in a folder of its own until they are joined. */
export async function openDiskParts(folder: string, work: WorkFolder, incoming: string) {
  await mkdir(folder, { recursive: true })
  const folderOf = (uploadId: string) => join(folder, uploadId)

  async function arrive(uploadId: string, partNumber: number, received: Received): Promise<void> {
    const place = folderOf(uploadId)
    await settle(received.path, place, `${partNumber}.${received.md5}`).catch(wasDropped)
    // The last of several with the same number counts.
    const older = (await readdir(place)).filter(
      (name) => name.startsWith(`${partNumber}.`) && !name.endsWith(received.md5),
    )
    for (const name of older) await rm(join(place, name), { force: true })
  }

  /** A part was promised a place: from now on its folder is as young as that promise. */
  async function keepOpen(uploadId: string): Promise<void> {
    const now = new Date()
    await utimes(folderOf(uploadId), now, now).catch(wasDropped)
  }

  async function listParts(_key: string, uploadId: string): Promise<Part[]> {
    const place = folderOf(uploadId)
    const parts: Part[] = []
    for (const name of await readdir(place).catch(() => [])) {
      const [, number, md5] = partName.exec(name) ?? []
      const { size } = await stat(join(place, name)).catch(() => ({ size: undefined }))
      if (number && md5 && size !== undefined)
        parts.push({ PartNumber: Number(number), Size: size, ETag: `"${md5}"` })
    }
    return parts.toSorted((a, b) => a.PartNumber - b.PartNumber)
  }

  /** The parts stay until they are dropped, so that whoever got no answer can ask again. */
  async function joinParts(
    key: string,
    uploadId: string,
    named: NamedPart[],
    most: number,
  ): Promise<void> {
    const arrived = await listParts(key, uploadId)
    const chosen = named.map(
      ({ PartNumber, ETag }) =>
        arrived.find((part) => part.PartNumber === PartNumber && bare(part.ETag) === bare(ETag)) ??
        missing(),
    )
    if (chosen.reduce((sum, part) => sum + part.Size, 0) > most) throw tooLarge(most)
    const draft = work.newPath()
    try {
      const paths = chosen.map(({ PartNumber, ETag }) =>
        join(folderOf(uploadId), `${PartNumber}.${bare(ETag)}`),
      )
      await pipeline(readAll(paths), createWriteStream(draft, { flags: 'wx', flush: true }))
      await settle(draft, incoming, key)
    } finally {
      await rm(draft, { force: true })
    }
  }

  const store: Pick<PictureStore, 'beginParts' | 'listParts' | 'joinParts' | 'dropParts'> = {
    async beginParts() {
      const uploadId = randomBytes(16).toString('hex')
      await mkdir(folderOf(uploadId))
      return uploadId
    },
    listParts,
    joinParts,
    dropParts: (_key, uploadId) => rm(folderOf(uploadId), { recursive: true, force: true }),
  }
  return { folder, arrive, keepOpen, store }
}

async function* readAll(paths: string[]): AsyncGenerator<Buffer> {
  for (const path of paths) yield* createReadStream(path)
}

function bare(etag: string): string {
  return etag.replaceAll('"', '')
}

/** The upload was given up while this part was on its way. */
function wasDropped(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    throw new Refusal('upload-missing', { cause: error })
  throw error
}

function missing(): never {
  throw new Refusal('part-missing')
}
