import { pictureSizes, type PictureSize } from '#contract/pictures.ts'
import type { StoredObject } from './objects.ts'
import { sizeTypes, type SizeFormat } from './picture-sizes.ts'
import { nameOfSize } from './picture-store.ts'

/** What is sent of a picture: the file as it was uploaded, or one of its sizes. */
export type Version = { name: string; type: string; etag: string; isChosenByAccept: boolean }

/** Nothing for a size that there is not. */
export function maybeVersion(
  { key, etag, contentType }: StoredObject,
  size: unknown,
  accept: string | undefined,
): Version | undefined {
  if (size === undefined)
    return { name: key, type: contentType, etag: `"${etag}"`, isChosenByAccept: false }
  if (!isSize(size)) return undefined
  const format: SizeFormat = takesAvif(accept) ? 'avif' : 'webp'
  return {
    name: nameOfSize(key, size, format),
    type: sizeTypes[format],
    etag: `"${etag}-${size}-${format}"`,
    isChosenByAccept: true,
  }
}

export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known?.some((tag) => tag === etag || tag === '*') ?? false
}

function isSize(size: unknown): size is PictureSize {
  return typeof size === 'string' && Object.hasOwn(pictureSizes, size)
}

function takesAvif(accept = ''): boolean {
  return accept
    .split(',')
    .some((range) => /^\s*image\/avif\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(range))
}
