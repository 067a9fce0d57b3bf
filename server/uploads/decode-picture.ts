import sharp, { type Metadata, type SharpOptions } from 'sharp'
import type { PictureType } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'

// A picture is decoded once and never again, on one core: two at a time are two cores (turns.ts).
sharp.cache(false)
sharp.concurrency(1)
// Whatever the bytes claim to be, only these readers ever see them.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
})

/** Pixels as they are shown: upright, in sRGB, without anything else that was in the file. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 }

export type DecodedPicture = { width: number; height: number; pixels: Pixels }

/** Decodes every frame to its last line, since half a picture has a whole header. `side` is in pixels. */
export async function decodePicture(
  path: string,
  expected: { type: PictureType; maxPixels: number; side: number },
): Promise<DecodedPicture> {
  const metadata = await readHeader(path)
  if (metadata.mediaType !== expected.type) throw new Refusal('picture-unknown')
  const { width, height, pages = 1, autoOrient } = metadata
  if (width * height * pages > expected.maxPixels) throw new Refusal('picture-too-many-pixels')

  const options = { failOn: 'error', limitInputPixels: expected.maxPixels } as const
  try {
    if (pages > 1) await decodeFrames(path, options)
    const { side } = expected
    const { data, info } = await sharp(path, options)
      .autoOrient()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const pixels = { data, width: info.width, height: info.height, channels: info.channels }
    return { width: autoOrient.width, height: autoOrient.height, pixels }
  } catch (cause) {
    throw new Refusal('picture-damaged', { cause })
  }
}

async function readHeader(path: string): Promise<Metadata> {
  try {
    return await sharp(path, { limitInputPixels: false }).metadata()
  } catch (cause) {
    throw new Refusal('picture-damaged', { cause })
  }
}

async function decodeFrames(path: string, options: SharpOptions): Promise<void> {
  await sharp(path, { ...options, animated: true })
    .resize(8, 8, { fit: 'fill' })
    .raw()
    .toBuffer()
}
