import type { PictureType } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import { decodePicture, type DecodedPicture } from './decode-picture.ts'
import { tooLarge } from './limits.ts'
import { largestSide } from './picture-sizes.ts'
import { endsWithItsPicture } from './picture-end.ts'
import { isSvg, maybePictureType } from './picture-type.ts'
import { readThrough } from './read-through.ts'

export type InspectedPicture = DecodedPicture & { type: PictureType; size: number; md5: string }

/** Reads, recognises and decodes a file. What comes back is a picture and nothing besides. */
export async function inspectPicture(
  path: string,
  limits: { bytes: number; pixels: number },
): Promise<InspectedPicture> {
  const { size, md5, head, end, isActive } = await readThrough(path)
  if (size > limits.bytes) throw tooLarge(limits.bytes)
  if (size === 0) throw new Refusal('picture-empty')
  if (isSvg(head)) throw new Refusal('picture-svg')
  const type = maybePictureType(head)
  if (!type || isActive) throw new Refusal('picture-unknown')
  // Decoders take a GIF that was cut between two frames for one with fewer of them.
  if (type === 'image/gif' && !/(;|^)\0*$/.test(end)) throw new Refusal('picture-damaged')
  const decoded = await decodePicture(path, {
    type,
    maxPixels: limits.pixels,
    side: largestSide,
  })
  if (!(await endsWithItsPicture(path, type, size))) throw new Refusal('picture-unknown')
  return { ...decoded, type, size, md5 }
}
