import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { default as sharpFunction, Sharp } from 'sharp'
import { maxFrames, pictureSizes, type PictureSize, type PictureType } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import { createInTurnQueue } from '#server/in-turn-queue.ts'
import { tooLarge, type ResizedFormat } from './picture-store.ts'

let loading: Promise<typeof sharpFunction> | undefined

/** Loaded with the first picture: with its image library it takes 15 MB. */
export function loadSharp(): Promise<typeof sharpFunction> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Each picture is decoded once and on one core; queueDecoding runs two at a time.
    sharp.cache(false)
    sharp.concurrency(1)
    // No other decoder ever sees uploaded bytes, whatever format they claim to be.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
    })
    return sharp
  })
  return loading
}

/** Upright, in sRGB, without metadata, and no larger than the largest size. */
type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 }

export type InspectedPicture = {
  type: PictureType
  size: number
  md5: string
  width: number
  height: number
  pixels: Pixels
}

/** Every size is made from the largest, so that an upload is decoded once. */
const maxSide = Math.max(...Object.values(pictureSizes))
/** 2 of 9: a tenth of the default's time, for slightly larger files. */
const avifEffort = 2

/** Refuses every file that is not a complete picture and nothing else. */
export async function inspectPicture(
  path: string,
  limits: { bytes: number; pixels: number },
): Promise<InspectedPicture> {
  const { size, md5, head, tail, hasActiveContent } = await scanFile(path)
  if (size > limits.bytes) throw tooLarge(limits.bytes)
  if (size === 0) throw new Refusal('picture-empty')
  const type = findPictureType(head)
  if (!type || hasActiveContent) throw new Refusal('picture-unknown')
  // Decoders accept a GIF that was cut between two frames as one with fewer frames.
  if (type === 'image/gif' && !/(;|^)\0*$/.test(tail.slice(-32)))
    throw new Refusal('picture-damaged')
  const decoded = await decodePicture(path, type, limits.pixels)
  if (hasAppendedData({ type, size, head, tail })) throw new Refusal('picture-unknown')
  return { ...decoded, type, size, md5 }
}

/** Larger than any screen shows it. */
const maxPublicSide = 2_560

/**
 * The whole picture as everybody may see it: in its own format and upright, but encoded anew, so that nothing of the file
 * is left but its pixels. Cameras and phones write where and when a picture was taken.
 */
export async function renderPublicPicture(path: string, type: PictureType): Promise<Buffer> {
  const sharp = await loadSharp()
  const { pages = 1 } = await sharp(path, { limitInputPixels: false }).metadata()
  const isAnimated = pages > 1 && (type === 'image/gif' || type === 'image/webp')
  const options = { failOn: 'error', limitInputPixels: false } as const
  const picture = isAnimated
    ? sharp(path, { ...options, animated: true })
    : sharp(path, options)
        .autoOrient()
        .resize(maxPublicSide, maxPublicSide, { fit: 'inside', withoutEnlargement: true })
  return encoders[type](picture).toBuffer()
}

const encoders: Record<PictureType, (picture: Sharp) => Sharp> = {
  'image/png': (picture) => picture.png(),
  'image/jpeg': (picture) => picture.jpeg({ quality: 90 }),
  'image/webp': (picture) => picture.webp({ quality: 90 }),
  'image/gif': (picture) => picture.gif({ effort: 3 }),
  'image/avif': (picture) => picture.avif({ quality: 65, effort: avifEffort }),
}

export async function resizePicture(
  { data, ...raw }: Pixels,
  size: PictureSize,
  format: ResizedFormat,
): Promise<Buffer> {
  const sharp = await loadSharp()
  const side = pictureSizes[size]
  const resized = sharp(data, { raw }).resize(side, side, {
    fit: 'inside',
    withoutEnlargement: true,
  })
  return format === 'avif'
    ? resized.avif({ effort: avifEffort }).toBuffer()
    : resized.webp().toBuffer()
}

/** Decoding takes a core and up to 160 MB, so many uploads at once must not take the whole machine. */
export const queueDecoding = createInTurnQueue({
  maxRunning: 2,
  maxWaiting: 20,
  refuse: () => new Refusal('pictures-busy', { retryAfter: 5 }),
})

const chunkBytes = 1024 * 1024
const headBytes = 4096
/** The directory of a ZIP archive begins within so many bytes of its end. */
const tailBytes = 66_000

/**
 * What polyglots carry. A tag counts only if it ends like one, and %PDF- only with its version: compressed pictures
 * contain every short sequence of bytes sooner or later. XMP, the markup that cameras write, has none of these.
 */
const activeContent =
  /<(?:script|iframe|html|body|meta|object|embed|!doctype|\?php)[\s>/]|<(?:svg|img)\s+\w+\s*=|<\?=\s|javascript:|%PDF-\d/i

/** Reads a file once. `head` and `tail` are its first and last bytes. */
export async function scanFile(path: string) {
  const hash = createHash('md5')
  let size = 0
  let head = Buffer.alloc(0)
  let tail = ''
  let hasActiveContent = false
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    const bytes = chunk as Buffer
    if (size === 0) head = Buffer.from(bytes.subarray(0, headBytes))
    size += bytes.length
    hash.update(bytes)
    // Searched together with the tail of the chunk before, so that nothing hides where two chunks meet.
    const text = tail + bytes.toString('latin1')
    hasActiveContent ||= activeContent.test(text)
    tail = text.slice(-tailBytes)
  }
  return { size, md5: hash.digest('hex'), head, tail, hasActiveContent }
}

/**
 * The type by the first bytes; file names and content types are not trusted. sharp's own detection cannot distinguish a damaged
 * picture from other files, which have different messages.
 */
function findPictureType(head: Buffer): PictureType | undefined {
  const text = head.toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (/^RIFF[^]{4}WEBP/.test(text)) return 'image/webp'
  if (text.startsWith('ftyp', 4)) {
    // The first box of an ISO media file: major brand, minor version, compatible brands.
    const brands = text.slice(8, head.readUInt32BE(0)).match(/[^]{4}/g) ?? []
    if (brands.some((brand, at) => at !== 1 && /^avi[fs]$/.test(brand))) return 'image/avif'
  }
  return undefined
}

/** How many pixels decoding the picture makes, of all its frames. */
export async function readPixelCount(bytes: Buffer): Promise<number> {
  const sharp = await loadSharp()
  const options = { limitInputPixels: false }
  const { width, height, pages = 1 } = await sharp(bytes, options).metadata().catch(refuseDamaged)
  return width * height * pages
}

/** Decodes every frame completely, since half a picture has a valid header. */
async function decodePicture(path: string, type: PictureType, maxPixels: number) {
  const sharp = await loadSharp()
  const header = await sharp(path, { limitInputPixels: false }).metadata().catch(refuseDamaged)
  if (header.mediaType !== type) throw new Refusal('picture-unknown')
  const { width, height, pages = 1, autoOrient } = header
  if (width * height * pages > maxPixels) throw new Refusal('picture-too-many-pixels')
  if (pages > maxFrames) throw new Refusal('picture-too-many-frames')

  const options = { failOn: 'error', limitInputPixels: maxPixels } as const
  if (pages > 1)
    await sharp(path, { ...options, animated: true })
      .resize(8, 8, { fit: 'fill' })
      .raw()
      .toBuffer()
      .catch(refuseDamaged)
  const { data, info } = await sharp(path, options)
    .autoOrient()
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(refuseDamaged)
  const pixels = { data, width: info.width, height: info.height, channels: info.channels }
  return { width: autoOrient.width, height: autoOrient.height, pixels }
}

function refuseDamaged(cause: unknown): never {
  throw new Refusal('picture-damaged', { cause })
}

/**
 * Decoders ignore what follows the end of a picture, where archives and pages can hide. Phones append a video to some
 * JPEGs, so of those only archives are refused.
 */
function hasAppendedData(file: {
  type: PictureType
  size: number
  head: Buffer
  tail: string
}): boolean {
  const { type, size, head, tail } = file
  if (tail.includes('PK\x05\x06')) return true
  if (type === 'image/png') return !tail.endsWith('\0\0\0\0IEND\xae\x42\x60\x82')
  if (type === 'image/webp') {
    // A WebP begins with its length, which is padded to an even number.
    const length = head.readUInt32LE(4)
    return 8 + length + (length % 2) !== size
  }
  return false
}
