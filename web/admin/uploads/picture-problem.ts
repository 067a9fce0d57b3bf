import { maxPictureBytes, type PictureKind, pictureTypes } from '#contract/pictures.ts'
import { refusals } from '#contract/refusals.ts'

const bytesInMegabyte = 1024 * 1024

export function largestInMegabytes(kind: PictureKind): number {
  return maxPictureBytes[kind] / bytesInMegabyte
}

/** Says at once what the server would say after the upload, or nothing if the file may be tried. */
export function maybePictureProblem(
  file: { size: number; type: string },
  kind: PictureKind,
): string | undefined {
  if (file.type === 'image/svg+xml') return refusals['picture-svg'].text
  if (!pictureTypes.some((type) => type === file.type)) return refusals['picture-unknown'].text
  if (file.size === 0) return refusals['picture-empty'].text
  if (file.size > maxPictureBytes[kind])
    return `This file is larger than ${largestInMegabytes(kind)} MB. Please upload a smaller picture.`
  return undefined
}
