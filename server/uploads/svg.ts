import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { maxSvgBytes } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import { readPixelCount } from './image-processing.ts'
import { tooLarge } from './picture-store.ts'

/*
 * An uploaded SVG is drawn once, and the bitmap is what is stored and served: an SVG may run scripts, read files and load
 * from elsewhere. Whatever could do so is refused before anything is drawn.
 */

const headBytes = 4096
/** Of all pictures inside of an SVG: a few bytes can be a picture of a billion pixels. */
const maxEmbeddedPixels = 10_000_000
const drawer = fileURLToPath(new URL('draw-svg.ts', import.meta.url))

/** Draws an SVG as a PNG beside it, and returns its path with the MD5 of the SVG; undefined if the file is no SVG. */
export async function drawSvg(path: string): Promise<{ path: string; md5: string } | undefined> {
  const bytes = await readSvg(path)
  if (!bytes) return undefined
  const bitmap = await renderSvg(bytes)
  const drawn = `${path}.png`
  await writeFile(drawn, bitmap, { flag: 'wx', mode: 0o600, flush: true })
  return { path: drawn, md5: createHash('md5').update(bytes).digest('hex') }
}

async function readSvg(path: string): Promise<Buffer | undefined> {
  await using file = await open(path)
  const { buffer: head, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  if (!isSvg(head.subarray(0, bytesRead))) return undefined
  if ((await file.stat()).size > maxSvgBytes) throw tooLarge(maxSvgBytes)
  return file.readFile()
}

function isSvg(head: Buffer): boolean {
  const text = head.toString('utf8').replace(/^\uFEFF/, '')
  return /^\s*(<\?xml|<!--|<!doctype\s+svg|<svg)/i.test(text) && /<svg[\s>]/i.test(text)
}

/** The bitmap as a PNG, at most 1,200 pixels wide and high. */
export async function renderSvg(svg: Buffer, maxSeconds = 10): Promise<Buffer> {
  const text = decode(svg)
  const references = text === undefined ? undefined : findSafeReferences(text)
  if (!references) throw new Refusal('picture-svg')
  await checkEmbedded(references)
  return runDrawer(svg, maxSeconds)
}

/** Undefined in other encodings than UTF-8: they hide what is searched for. */
function decode(svg: Buffer): string | undefined {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(svg)
  } catch {
    return undefined
  }
  const [, declared = ''] = /^<\?xml([^?]*)/.exec(text) ?? []
  const isUtf8 = /encoding\s?=\s?["'](?:utf-8|us-ascii)["']/i.test(joinSpaces(declared))
  return isUtf8 || !declared.includes('encoding') ? text : undefined
}

/** Other declarations than comments and character data belong to a DTD. */
const dtd = /<!(?!--|\[CDATA\[)/
/** Other instructions than the XML declaration and Adobe's packets, such as style sheets. */
const instruction = /<\?(?!(?:xml|xpacket)\s)/
const activeElement = /<(?:[^\s<>/:]+:)?(?:script|foreignObject|iframe|object|embed|include)[\s/>]/i
const activeAttribute = /[\s"'/]on[a-z]+ ?=|xml:base|javascript:/i
const embeddedPicture = /^data:image\/(?:png|jpeg|webp|gif);base64,([\w+/= ]+)$/

/** What the drawing refers to; undefined if that is more than its own parts and embedded bitmaps, or if it may run. */
function findSafeReferences(text: string): string[] | undefined {
  const read = decodeReferences(text)
  const hasCode = [text, read].some(
    (one) => activeElement.test(one) || activeAttribute.test(one) || instruction.test(one),
  )
  if (hasCode || dtd.test(text)) return undefined
  const references = listReferences(read)
  const areSafe = references.every((one) => one.startsWith('#') || embeddedPicture.test(one))
  return areSafe ? references : undefined
}

/** As XML and CSS read it. `@import` needs no url(). */
function listReferences(read: string): string[] {
  const styles = [read, unescapeCss(read)]
  const imports = styles.some((style) => /@import/i.test(style)) ? ['@import'] : []
  const links = [...read.matchAll(/href ?= ?(?:"([^"]*)"|'([^']*)'|)/gi)]
  const urls = styles.flatMap((style) => [
    ...style.matchAll(/url\( ?(?:"([^"]*)"|'([^']*)'|([^)]*))/gi),
  ])
  const named = [...links, ...urls].map(
    ([, ...values]) => values.find((value) => value !== undefined)?.trim() ?? '',
  )
  return [...imports, ...named]
}

/** The text with what stands for characters replaced: `&#104;ttp:` is the beginning of an address too. */
function decodeReferences(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  const decoded = text.replaceAll(
    /&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot|apos));/gi,
    (_whole, decimal, hexadecimal, name) => {
      if (name) return names[name] ?? ''
      return toCharacter(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16))
    },
  )
  return joinSpaces(decoded)
}

function joinSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function unescapeCss(text: string): string {
  return text.replaceAll(/\\(?:([\da-f]{1,6}) ?|([^\da-f]))/gi, (_whole, hexadecimal, other) =>
    hexadecimal ? toCharacter(Number.parseInt(hexadecimal, 16)) : other,
  )
}

function toCharacter(codePoint: number): string {
  return codePoint <= 0x10_ff_ff ? String.fromCodePoint(codePoint) : '\uFFFD'
}

async function checkEmbedded(references: string[]): Promise<void> {
  let pixels = 0
  for (const reference of references) {
    const [, base64] = embeddedPicture.exec(reference) ?? []
    if (base64 !== undefined) pixels += await readPixelCount(Buffer.from(base64, 'base64'))
    if (pixels > maxEmbeddedPixels) throw new Refusal('picture-too-many-pixels')
  }
}

/** In a process without the environment, which has the shop's secrets; killed if it takes too long. */
function runDrawer(svg: Buffer, maxSeconds: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const child = execFile(
    process.execPath,
    [drawer],
    {
      env: {},
      encoding: 'buffer',
      maxBuffer: 32 * 1024 * 1024,
      timeout: maxSeconds * 1000,
      killSignal: 'SIGKILL',
    },
    (cause, bitmap) => {
      if (!cause) resolve(bitmap)
      else if (cause.signal) reject(new Refusal('picture-svg', { cause }))
      else if (typeof cause.code === 'number') reject(new Refusal('picture-damaged', { cause }))
      else reject(cause)
    },
  )
  // The process may end before it has read everything.
  child.stdin?.on('error', () => {})
  child.stdin?.end(svg)
  return promise
}
