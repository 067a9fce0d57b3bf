import type { z } from 'zod'
import type { uploadAddress } from './answers/products.ts'

/** What a picture is for. Each purpose has its own size limit, in bytes. */
export const pictureKinds = ['image', 'logo'] as const
export type PictureKind = (typeof pictureKinds)[number]

export const maxPictureBytes: Record<PictureKind, number> = { image: 10_485_760, logo: 5_242_880 }

/** An SVG takes time to draw by its length. */
export const maxSvgBytes = 1_048_576

/** More than a phone camera takes. Every frame of an animation counts. */
export const maxPixels = 40_000_000

/** Frames of an animation. However small, each one costs time to decode. */
export const maxFrames = 500

/** Formats that are kept: browsers show them, and they cannot contain scripts. */
export const pictureTypes = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
] as const
export type PictureType = (typeof pictureTypes)[number]

/** Formats that may be uploaded. An SVG is drawn as a PNG. */
export const uploadTypes = [...pictureTypes, 'image/svg+xml'] as const

/** The sizes pages need. A size is the longest side of a picture, in pixels. */
export const pictureSizes = { thumb: 128, item: 320, logo: 640 } as const
export type PictureSize = keyof typeof pictureSizes

export type UploadAddress = z.infer<typeof uploadAddress>

/** Where a product shows a picture. */
export type PictureUse = { url: string | null; kind: PictureKind }

/** 128 random bits in hexadecimal. */
export const objectKeyPattern = /^[0-9a-f]{32}$/

const objectsPath = '/api/objects/'

export function objectUrl(objectPath: string): string {
  return `${objectsPath}${objectPath}`
}

/** Undefined for a URL of another site. */
export function findObjectKey(url: string): string | undefined {
  if (!url.startsWith(objectsPath)) return undefined
  const key = url.slice(objectsPath.length)
  return objectKeyPattern.test(key) ? key : undefined
}

/**
 * Whether a text is a picture: one of the shop, or an http(s) address. Whether something is there is not checked. Products may
 * have any other text, which counts as no picture wherever one is shown.
 */
export function isPicture(url: string): boolean {
  if (findObjectKey(url)) return true
  // Browsers read \ as / and skip tabs and line ends, so that a host may be another than the one that is read here.
  if (!/^https?:\/\//i.test(url) || /[\p{Cc}\\]/u.test(url)) return false
  const { username, password, hostname } = URL.parse(url) ?? {}
  return username === '' && password === '' && isHostName(hostname)
}

/** URLs allow a semicolon or a comma in a host, where a policy would begin its next part. */
function isHostName(host = ''): boolean {
  return /^[\w.-]+$|^\[[\da-f:.]+\]$/.test(host)
}

/** Where a page loads a picture; undefined where there is none. */
export function shownPicture(
  url: string | null | undefined,
  size: PictureSize,
): string | undefined {
  return url && isPicture(url) ? sizedPicture(url, size) : undefined
}

/** For mails and other sites. */
export function absolutePicture(
  url: string | null,
  size: PictureSize,
  origin: string,
): string | undefined {
  const shown = shownPicture(url, size)
  return shown?.startsWith('/') ? `${origin}${shown}` : shown
}

/** The address of a picture in this size. Pictures of other sites are used as they are, but over TLS. */
export function sizedPicture(url: string, size: PictureSize): string {
  return findObjectKey(url) ? `${url}?size=${size}` : upgradePicture(url)
}

/**
 * Browsers load no http: picture on an https: page, and our pages allow none. Most sites have the same picture over
 * https; names without a dot and IP addresses have no certificate.
 */
function upgradePicture(url: string): string {
  const { protocol, hostname, port } = URL.parse(url) ?? {}
  const isSite = protocol === 'http:' && !port && /\.[a-z][a-z0-9-]*\.?$/i.test(hostname ?? '')
  return isSite ? url.replace(/^http:/i, 'https:') : url
}

/** The site of a picture elsewhere, as a content security policy names it. */
export function pictureOrigin(url: string | null): string | undefined {
  if (!url || !isPicture(url)) return undefined
  const { protocol, origin } = URL.parse(upgradePicture(url)) ?? {}
  return protocol === 'https:' ? origin : undefined
}

/** Drops query and hash of an uploaded picture, so that its use is recognized. */
export function simplifyPictureUrl(url: string): string {
  const path = url.replace(/[?#].*/s, '')
  return findObjectKey(path) ? path : url
}
