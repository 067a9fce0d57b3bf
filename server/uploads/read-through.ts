import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** What a file is, found by reading each of its bytes once. */
export type FileContent = {
  size: number
  md5: string
  /** The beginning, by which its kind is known. */
  head: Buffer
  /** The last few bytes, as latin1. */
  end: string
  /** Whether something in it would be run if it were shown as a page or opened as a document. */
  isActive: boolean
}

const chunkBytes = 1024 * 1024
const headBytes = 4096

/**
 * What polyglots carry. A tag counts only where it ends like one, and %PDF- only with its version:
 * compressed pictures hold every short run of bytes sooner or later. XMP, the markup that cameras
 * write, has none of these.
 */
const activeContent =
  /<(?:script|iframe|html|body|meta|object|embed|!doctype|\?php)[\s>/]|<(?:svg|img)\s+\w+\s*=|<\?=\s|javascript:|%PDF-\d/i
/** As long as the longest of them, so that none hides where two chunks meet. */
const overlap = 32

export async function readThrough(path: string): Promise<FileContent> {
  const hash = createHash('md5')
  let size = 0
  let head = Buffer.alloc(0)
  let isActive = false
  let end = ''
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    const bytes = chunk as Buffer
    if (size === 0) head = Buffer.from(bytes.subarray(0, headBytes))
    size += bytes.length
    hash.update(bytes)
    const text = end + bytes.toString('latin1')
    isActive ||= activeContent.test(text)
    end = text.slice(-overlap)
  }
  return { size, md5: hash.digest('hex'), head, end, isActive }
}
