import { fileURLToPath } from 'node:url'
import type { default as sharpFunction, OverlayOptions, Sharp } from 'sharp'
import { linkPictureSize } from '#contract/link-cards.ts'
import { loadSharp } from '#server/uploads/image-processing.ts'

/** The colours of buyers' pages in their light look. */
const colours = {
  ground: '#faf7f1',
  panel: '#fffdf9',
  line: '#e6dfd2',
  ink: '#211d17',
  soft: '#575044',
}

const { width, height } = linkPictureSize
const margin = 64
const panelSide = height - 2 * margin
const gap = 32

export type LinkPicture = {
  name: string
  /** The price, or why there is none. */
  note: string
  shopName: string | null
  /** Of the product, in any format that uploads are kept in. */
  photo: Buffer | undefined
}

/** The picture of a link: the product on the shop's ground, with name and price, as a JPEG. */
export async function drawLinkPicture({ photo, ...texts }: LinkPicture): Promise<Buffer> {
  const sharp = await loadSharp()
  const panel = photo ? await drawPanel(sharp, photo) : []
  const left = photo ? margin + panelSide + margin : 2 * margin
  // Alone on the ground they are larger.
  const column = { left, width: width - left - margin, scale: photo ? 1 : 1.5 }
  return fill(sharp, width, height, colours.ground)
    .composite([...panel, ...(await writeColumn(sharp, column, texts))])
    .jpeg({ quality: 80 })
    .toBuffer()
}

async function drawPanel(sharp: typeof sharpFunction, photo: Buffer): Promise<OverlayOptions[]> {
  const inside = panelSide - 2
  const picture = await sharp(photo)
    .resize(inside, inside, { fit: 'contain', background: colours.panel })
    .flatten({ background: colours.panel })
    .png()
    .toBuffer()
  const frame = await fill(sharp, panelSide, panelSide, colours.line).png().toBuffer()
  return [
    { input: frame, left: margin, top: margin },
    { input: picture, left: margin + 1, top: margin + 1 },
  ]
}

type Column = { left: number; width: number; scale: number }
type Line = { bytes: Buffer; height: number }

/** One text below the other, in the middle of the height. */
async function writeColumn(
  sharp: typeof sharpFunction,
  column: Column,
  { shopName, name, note }: Omit<LinkPicture, 'photo'>,
): Promise<OverlayOptions[]> {
  const { ink, soft } = colours
  const write = (text: string, { sizes, ...look }: Look) =>
    writeText(sharp, text, column.width, {
      ...look,
      sizes: sizes.map((size) => Math.round(size * column.scale)),
    })
  const lines = [
    shopName && (await write(shopName, { sizes: [28, 22], maxHeight: 80, colour: soft })),
    await write(name, { sizes: [64, 54, 44, 36], maxHeight: 280, colour: ink, isBold: true }),
    await write(note, { sizes: [44, 32], maxHeight: 100, colour: ink }),
  ].filter((line): line is Line => Boolean(line))
  const total = lines.reduce((sum, line) => sum + line.height, (lines.length - 1) * gap)
  let top = Math.max(margin, Math.round((height - total) / 2))
  return lines.map((line) => {
    const placed = { input: line.bytes, left: column.left, top }
    top += line.height + gap
    return placed
  })
}

type Look = { sizes: number[]; maxHeight: number; colour: string; isBold?: true }

/** In the largest of these sizes in which the text is not too high; what is too long even then is cut. */
async function writeText(
  sharp: typeof sharpFunction,
  text: string,
  maxWidth: number,
  look: Look,
): Promise<Line | undefined> {
  const letters = Array.from(keepDrawable(text))
  for (const size of look.sizes) {
    const line = await drawText(sharp, letters.join(''), maxWidth, { ...look, size })
    if (!line || line.height <= look.maxHeight) return line
  }
  const size = Math.min(...look.sizes)
  // About as many as fit: the letters of a text are half as wide as high.
  let count = Math.floor((maxWidth / (size / 2)) * Math.floor(look.maxHeight / (size * 1.4)))
  for (; count > 8; count = Math.floor(count * 0.8)) {
    const cut = `${letters.slice(0, count).join('').trimEnd()}…`
    const line = await drawText(sharp, cut, maxWidth, { ...look, size })
    if (!line || line.height <= look.maxHeight) return line
  }
  return undefined
}

async function drawText(
  sharp: typeof sharpFunction,
  text: string,
  maxWidth: number,
  { size, colour, isBold }: Look & { size: number },
): Promise<Line | undefined> {
  if (text === '') return undefined
  const { data, info } = await sharp({
    text: {
      // Pango reads markup.
      text: `<span foreground="${colour}">${escapeMarkup(text)}</span>`,
      font: `Noto Sans ${isBold ? 'Bold ' : ''}${size}`,
      fontfile: isBold ? fontFiles.bold : fontFiles.regular,
      width: maxWidth,
      wrap: 'word-char',
      dpi: 72,
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, height: info.height }
}

const fontFile = (name: string) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${name}.ttf`))

/** Noto Sans: Latin, Greek and Cyrillic, with the letters of all European languages and of Vietnamese. */
const fontFiles = {
  regular: fontFile('400Regular/NotoSans_400Regular'),
  bold: fontFile('700Bold/NotoSans_700Bold'),
}

/** Characters outside of the font's blocks, such as emojis, and marks without a shape. The font draws a box for them. */
const undrawable =
  /[^ -~\u00A0-\u03E1\u03F0-\u052F\u1E00-\u1FFF\u2010-\u205E\u20A0-\u20C0\u2100-\u215F\u2212]|[\p{Cn}\p{Cf}]/gu

/** The text without the characters that the font lacks. */
export function keepDrawable(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(undrawable, '')
    .replaceAll(/ +/g, ' ')
    .trim()
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character)
}

function fill(
  sharp: typeof sharpFunction,
  fullWidth: number,
  fullHeight: number,
  background: string,
): Sharp {
  return sharp({ create: { width: fullWidth, height: fullHeight, channels: 3, background } })
}

const iconSide = 180

/** A logo on a square, for home screens, which fill what is transparent with black. */
export async function drawIcon(logo: Buffer): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(logo)
    .resize(iconSide - 20, iconSide - 20, { fit: 'contain', background: colours.panel })
    .flatten({ background: colours.panel })
    .extend({ top: 10, bottom: 10, left: 10, right: 10, background: colours.panel })
    .png()
    .toBuffer()
}
