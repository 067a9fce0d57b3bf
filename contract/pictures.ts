/** What a picture is for. Each purpose has its own size limit, in bytes. */
export const pictureKinds = ['image', 'logo'] as const
export type PictureKind = (typeof pictureKinds)[number]

export const largestPicture: Record<PictureKind, number> = { image: 10_485_760, logo: 5_242_880 }

/** More than any camera in a pocket takes. Every frame of a moving picture counts. */
export const mostPixels = 40_000_000

/** What browsers show and cannot be made to run, by the names that browsers give. */
export const pictureTypes = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
] as const
export type PictureType = (typeof pictureTypes)[number]

/** The sizes pages need. A size is the longest side of a picture, in pixels. */
export const pictureSizes = { thumb: 128, item: 320, logo: 640 } as const
export type PictureSize = keyof typeof pictureSizes

/** Where the bytes of a picture go, and what it is called afterwards. */
export type UploadAddress = { objectPath: string; uploadURL: string }

/** Where a product shows a picture. */
export type PictureUse = { url: string | null; kind: PictureKind }

/** 128 random bits in hexadecimal: made by us, never by a visitor. */
export const objectKeyPattern = /^[0-9a-f]{32}$/

const objectsPath = '/api/objects/'

export function objectUrl(objectPath: string): string {
  return `${objectsPath}${objectPath}`
}

/** The key of an uploaded picture, or nothing for an address elsewhere. */
export function maybeObjectKey(url: string): string | undefined {
  if (!url.startsWith(objectsPath)) return undefined
  const key = url.slice(objectsPath.length)
  return objectKeyPattern.test(key) ? key : undefined
}

/** An uploaded picture in the size a page needs; a picture from elsewhere as it is. */
export function sizedPicture(url: string, size: PictureSize): string {
  return maybeObjectKey(url) ? `${url}?size=${size}` : url
}

/** Any address by http(s), and any path of the shop's own. Whether a picture is there shows when it is looked at. */
export function isPictureUrl(url: string): boolean {
  // Browsers read \ as / and skip tabs and line ends: with them, what looks like a path may lead to another site.
  if (/[\p{Cc}\\]/u.test(url)) return false
  if (isPath(url)) return true
  const { username, password } = /^https?:\/\//i.test(url) ? (URL.parse(url) ?? {}) : {}
  return username === '' && password === ''
}

/** Begins with a single slash: two would lead to another site. */
function isPath(url: string): boolean {
  return /^\/(?!\/)/.test(url)
}

/** An uploaded picture has one address, so that it is known to be in use however it was written. */
export function simplifyPictureUrl(url: string): string {
  const path = url.replace(/[?#].*$/, '')
  return maybeObjectKey(path) ? path : url
}

/** A picture's address as it is known far from the shop, in the size that is needed. */
export function absolutePicture(url: string, size: PictureSize, origin: string): string {
  return isPath(url) ? `${origin}${sizedPicture(url, size)}` : url
}
