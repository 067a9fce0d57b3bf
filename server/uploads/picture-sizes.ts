import sharp from 'sharp'
import { pictureSizes, type PictureSize } from '#contract/pictures.ts'
import type { Pixels } from './decode-picture.ts'

/** What sizes are sent as, the smaller first. Every browser of today shows WebP. */
export const sizeTypes = { avif: 'image/avif', webp: 'image/webp' } as const
export type SizeFormat = keyof typeof sizeTypes

export const sizes = Object.keys(pictureSizes) as PictureSize[]
export const sizeFormats = Object.keys(sizeTypes) as SizeFormat[]

/** From the largest size all others are made, so that the upload itself is decoded once. */
export const largestSide = Math.max(...Object.values(pictureSizes))

/** 2 of 9: a tenth of the time of the default, for files a little larger. */
const avifEffort = 2

export async function makeSize(
  { data, ...raw }: Pixels,
  size: PictureSize,
  format: SizeFormat,
): Promise<Buffer> {
  const side = pictureSizes[size]
  const resized = sharp(data, { raw }).resize(side, side, {
    fit: 'inside',
    withoutEnlargement: true,
  })
  return format === 'avif'
    ? resized.avif({ effort: avifEffort }).toBuffer()
    : resized.webp().toBuffer()
}
