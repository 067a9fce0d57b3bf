import { createHmac, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { moveDurably } from '#server/durable-files.ts'
import { isSameText } from '#server/secret.ts'
import {
  staleMs,
  tooLarge,
  unfinishedMs,
  uploadUrlSeconds,
  type Part,
  type PictureStore,
  type ReceivedFile,
  type UploadGrant,
} from './picture-store.ts'
import { deleteStaleFiles, receiveFile, type WorkFolder } from './work-folder.ts'

/** A part is a file named like 7.md5, with its number and the MD5 of its content. */
const partNamePattern = /^(\d{1,5})\.([0-9a-f]{32})$/

/** Pictures in a folder. All file names are made of our own keys and ids. */
export function openDiskStore(folder: string, work: WorkFolder, secret: string): PictureStore {
  const [stored, incoming, multipart] = ['stored', 'incoming', 'parts'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const partsFolder = (uploadId: string) => join(multipart, uploadId)

  async function listParts(_key: string, uploadId: string): Promise<Part[]> {
    const parts: Part[] = []
    for (const name of await readdir(partsFolder(uploadId)).catch(() => [])) {
      const [, number, md5] = partNamePattern.exec(name) ?? []
      const found = await findOrUndefined(stat(join(partsFolder(uploadId), name)))
      if (number && md5 && found)
        parts.push({ PartNumber: Number(number), Size: found.size, ETag: `"${md5}"` })
    }
    return parts.toSorted((a, b) => a.PartNumber - b.PartNumber)
  }

  async function savePart(uploadId: string, partNumber: number, { path, md5 }: ReceivedFile) {
    const folder = partsFolder(uploadId)
    await moveDurably(path, folder, `${partNumber}.${md5}`).catch(refuseAborted)
    // The last upload of a part number counts.
    for (const name of await readdir(folder)) {
      const isOlder = name.startsWith(`${partNumber}.`) && !name.endsWith(md5)
      if (isOlder) await rm(join(folder, name), { force: true })
    }
  }

  return {
    async prepare() {
      for (const path of [work.path, stored, incoming, multipart])
        await mkdir(path, { recursive: true })
    },

    async createUploadUrl(grant, origin) {
      const { key, part } = grant
      // The parts of an upload are kept for as long as the URL that was issued last.
      const now = new Date()
      if (part) await utimes(partsFolder(part.uploadId), now, now).catch(refuseAborted)
      const path = part
        ? pathOf(apiRoutes.incomingPart, { key, ...part, partNumber: String(part.partNumber) })
        : pathOf(apiRoutes.incomingFile, { key })
      return signUrl(origin + path, secret, grant, Math.floor(grant.now) + uploadUrlSeconds)
    },

    // A hard link, so that another upload with the same key does not change what is being checked.
    async findUpload(key) {
      const path = work.newPath()
      const upload = { path, discard: () => rm(path, { force: true }) }
      return findOrUndefined(link(join(incoming, key), path).then(() => upload))
    },
    deleteUpload: (key) => rm(join(incoming, key), { force: true }),

    async writeFile(name, content) {
      const draft = work.newPath()
      // Uploads are flushed and never changed, so a hard link is a durable copy.
      if ('path' in content) await link(content.path, draft)
      else await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true })
      await moveDurably(draft, stored, name)
    },
    async findFile(name) {
      const file = await findOrUndefined(open(join(stored, name)))
      return file && { size: (await file.stat()).size, bytes: file.createReadStream() }
    },
    async deleteFiles(names) {
      await Promise.all(names.map((name) => rm(join(stored, name), { force: true })))
    },

    async createMultipart() {
      const uploadId = randomBytes(16).toString('hex')
      await mkdir(partsFolder(uploadId))
      return uploadId
    },
    listParts,
    async completeMultipart(key, uploadId, named, maxBytes) {
      const uploaded = await listParts(key, uploadId)
      const chosen = named.map(({ PartNumber, ETag }) => {
        const part = uploaded.find(
          (part) => part.PartNumber === PartNumber && unquote(part.ETag) === unquote(ETag),
        )
        if (!part) throw new Refusal('part-missing')
        return part
      })
      if (chosen.reduce((sum, part) => sum + part.Size, 0) > maxBytes) throw tooLarge(maxBytes)
      const paths = chosen.map(({ PartNumber, ETag }) =>
        join(partsFolder(uploadId), `${PartNumber}.${unquote(ETag)}`),
      )
      const draft = work.newPath()
      try {
        await pipeline(readAll(paths), createWriteStream(draft, { flags: 'wx', flush: true }))
        await moveDurably(draft, incoming, key)
      } finally {
        await rm(draft, { force: true })
      }
    },
    abortMultipart: (_key, uploadId) => rm(partsFolder(uploadId), { recursive: true, force: true }),

    async deleteStale() {
      await deleteStaleFiles(work.path, staleMs)
      for (const path of [incoming, multipart]) await deleteStaleFiles(path, unfinishedMs)
    },
    findProblem: async () => undefined,

    receiver: {
      verifyUrl: (query, grant) => verifyUrl(query, secret, grant),
      async receive(bytes, maxBytes) {
        try {
          return await receiveFile(bytes, work.newPath(), { maxBytes })
        } catch (error) {
          // Read to the end: a client reads the answer only when it has sent everything.
          bytes.resume()
          throw error
        }
      },
      saveUpload: (key, path) => moveDurably(path, incoming, key),
      savePart,
    },
  }
}

/** Signs everything the URL allows, so that its holder can change none of it. */
export function signUrl(
  url: string,
  secret: string,
  grant: Omit<UploadGrant, 'now'>,
  expires: number,
): string {
  return `${url}?expires=${expires}&signature=${createSignature(secret, grant, expires)}`
}

function verifyUrl(query: unknown, secret: string, grant: UploadGrant): void {
  const { expires, signature } = query as Record<string, unknown>
  if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires))
    throw new Refusal('upload-unsigned')
  if (!isSameText(createSignature(secret, grant, Number(expires)), signature))
    throw new Refusal('upload-unsigned')
  if (grant.now > Number(expires)) throw new Refusal('upload-expired')
}

function createSignature(
  secret: string,
  { key, kind, maxBytes, part }: Omit<UploadGrant, 'now'>,
  expires: number,
): string {
  // A JSON array, so that no two grants serialize alike.
  const signed = ['upload', key, kind, maxBytes, expires, part?.uploadId, part?.partNumber]
  return createHmac('sha256', secret).update(JSON.stringify(signed)).digest('hex')
}

async function* readAll(paths: string[]): AsyncGenerator<Buffer> {
  for (const path of paths) yield* createReadStream(path)
}

function unquote(etag: string): string {
  return etag.replaceAll('"', '')
}

async function findOrUndefined<Found>(finding: Promise<Found>): Promise<Found | undefined> {
  return finding.catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
}

/** The upload was aborted while this part was being sent. */
function refuseAborted(error: unknown): never {
  throw isNotFound(error) ? new Refusal('upload-missing', { cause: error }) : error
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
