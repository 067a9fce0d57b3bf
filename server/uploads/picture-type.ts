import type { PictureType } from '#contract/pictures.ts'

/** What a file says it is by its first bytes; names and content types of visitors are not asked. */
export function maybePictureType(head: Buffer): PictureType | undefined {
  const starts = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (starts('\xff\xd8\xff')) return 'image/jpeg'
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif'
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp'
  if (starts('ftyp', 4) && brandsOf(head).some((brand) => brand === 'avif' || brand === 'avis'))
    return 'image/avif'
  return undefined
}

export function isSvg(head: Buffer): boolean {
  const text = head.toString('utf8').replace(/^\uFEFF/, '')
  return /^\s*(<\?xml|<!--|<!doctype\s+svg|<svg)/i.test(text) && /<svg[\s>]/i.test(text)
}

/** The names of formats in the first box of an ISO media file. */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [head.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}
