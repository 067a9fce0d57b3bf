import { open } from 'node:fs/promises'
import type { PictureType } from '#contract/pictures.ts'

/** The last chunk of every PNG. */
const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex')
/** The directory of an archive, which stands at its very end. */
const archiveEnd = Buffer.from('504b0506', 'hex')
const archiveEndBytes = 66_000

/**
 * Whether nothing stands behind the picture. Decoders stop at its end and never see what follows; archives and
 * pages hide there. Phones write a film behind some JPEGs, so of those only archives are refused.
 */
export async function endsWithItsPicture(
  path: string,
  type: PictureType,
  size: number,
): Promise<boolean> {
  const tail = await readTail(path, size)
  if (tail.includes(archiveEnd)) return false
  if (type === 'image/png') return tail.subarray(-pngEnd.length).equals(pngEnd)
  if (type === 'image/webp') return (await readRiffSize(path)) === size
  return true
}

async function readTail(path: string, size: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const length = Math.min(size, archiveEndBytes)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer
  } finally {
    await file.close()
  }
}

/** A WebP says at its beginning how long it is, in pairs of bytes. */
async function readRiffSize(path: string): Promise<number> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
    const length = buffer.readUInt32LE(4)
    return 8 + length + (length % 2)
  } finally {
    await file.close()
  }
}
