import { maxPictureBytes, maxPixels, type PictureKind } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'

/** Largest files in bytes by what they are for, and the largest picture in pixels. */
export type UploadLimits = Record<PictureKind, number> & { pixels: number }

export function uploadLimits(other: Partial<UploadLimits> = {}): UploadLimits {
  return { ...maxPictureBytes, pixels: maxPixels, ...other }
}

const bytesInMegabyte = 1024 * 1024

export function tooLarge(most: number): Refusal {
  const megabytes = Number((most / bytesInMegabyte).toFixed(1))
  return new Refusal('picture-too-large', {
    text: `This file is larger than ${megabytes} MB. Please upload a smaller picture.`,
  })
}
