import type { NamedPart } from './picture-store.ts'

/** The texts of every element of that name. S3's answers are flat enough to need no parser. */
export function textsIn(xml: string, element: string): string[] {
  const elements = xml.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))
  return [...elements].map(([, text = '']) => decode(text))
}

export function textIn(xml: string, element: string): string | undefined {
  return textsIn(xml, element)[0]
}

export function writeParts(parts: NamedPart[]): string {
  const elements = parts.map(
    ({ PartNumber, ETag }) =>
      `<Part><PartNumber>${PartNumber}</PartNumber><ETag>${encode(ETag)}</ETag></Part>`,
  )
  return `<CompleteMultipartUpload>${elements.join('')}</CompleteMultipartUpload>`
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function decode(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole
    return String.fromCodePoint(Number.parseInt(decimal ?? hex, decimal ? 10 : 16))
  })
}

function encode(text: string): string {
  return text.replaceAll(/[<>"'&]/g, (character) => `&#${character.codePointAt(0)};`)
}
