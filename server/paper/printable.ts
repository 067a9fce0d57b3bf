import { fileURLToPath } from 'node:url'

const fontFile = (name: string) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${name}.ttf`))

/** Noto Sans: Latin, Greek and Cyrillic, with the letters of all European languages and of Vietnamese. */
export const fontFiles = {
  regular: fontFile('400Regular/NotoSans_400Regular'),
  bold: fontFile('700Bold/NotoSans_700Bold'),
}

type Characters = ReadonlySet<number>

let loading: Promise<Characters> | undefined

/** The code points that the font has, read with the first slip. */
export function loadCharacters(): Promise<Characters> {
  loading ??= import('fontkit').then(({ openSync }) => {
    const font = openSync(fontFiles.regular)
    if (!('characterSet' in font)) throw new Error('the font of the PDFs is a collection')
    return new Set(font.characterSet)
  })
  return loading
}

/** The font draws a box for what it lacks. */
const missing = '□'

/** Marks without a shape of their own: joiners, hyphens that may be, directions, and variants of emojis. */
const shapeless = /[\p{Cf}\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The text as it can be printed, with a box for each character that the font lacks. */
export function toPrintable(text: string, characters: Characters): string {
  // Nearly all texts.
  if (/^[ -~]*$/.test(text)) return text
  const clean = Array.from(graphemes.segment(text.normalize('NFC')), ({ segment }) =>
    printCharacter(segment, characters),
  )
  return clean.join('').replaceAll(/ +/g, ' ').trim()
}

function printCharacter(character: string, characters: Characters): string {
  const shape = character.replaceAll(/[\s\p{Cc}]+/gu, ' ').replaceAll(shapeless, '')
  const isKnown = Array.from(shape).every((letter) => characters.has(letter.codePointAt(0) ?? 0))
  return isKnown ? shape : missing
}

/** How many boxes these texts get. */
export function countUnprintable(texts: Iterable<string>, characters: Characters): number {
  return [...texts].flatMap((text) => [...toPrintable(text, characters).matchAll(/□/gu)]).length
}
