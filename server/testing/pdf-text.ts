import { inflateSync } from 'node:zlib'

/** The text of each page of a PDF of ours, piece by piece as it was written. */
export function readPdf(bytes: Buffer): string[] {
  const objects = new Map<string, { head: string; stream: string }>()
  const source = bytes.toString('latin1')
  for (const [, id = '', body = ''] of source.matchAll(/\n(\d+) 0 obj\n(.*?)\nendobj/gs)) {
    const [head = '', data] = body.split('\nstream\n')
    const raw = Buffer.from((data ?? '').replace(/\nendstream$/, ''), 'latin1')
    const isPacked = head.includes('/FlateDecode')
    const stream = data === undefined ? '' : (isPacked ? inflateSync(raw) : raw).toString('latin1')
    objects.set(id, { head, stream })
  }
  const resolve = (head: string, name: string) =>
    objects.get(new RegExp(`/${name} (\\d+) 0 R`).exec(head)?.[1] ?? '')
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b/.test(head))
    .map(({ head }) => {
      const fonts = resolve(head, 'Resources')?.head ?? head
      const letters = (font: string) =>
        readLetters(resolve(resolve(fonts, font)?.head ?? '', 'ToUnicode')?.stream ?? '')
      return readPage(resolve(head, 'Contents')?.stream ?? '', letters)
    })
}

function readPage(content: string, lettersOf: (font: string) => string[]): string {
  let letters: string[] = []
  let text = ''
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font) letters = lettersOf(font)
    const codes = [...(shown ?? '').matchAll(/<([0-9a-f]+)>/g)].flatMap(
      ([, hex = '']) => hex.match(/.{4}/g) ?? [],
    )
    text += codes.map((code) => letters[Number.parseInt(code, 16)] ?? '').join('')
    if (shown !== undefined) text += '\n'
  }
  return text
}

/** The letters of a font by their numbers. */
function readLetters(map: string): string[] {
  const letters: string[] = []
  for (const [, first = '', list = ''] of map.matchAll(/<(\w{4})> <\w{4}> \[(.*?)\]/g))
    for (const [offset, [, hex = '']] of [...list.matchAll(/<(\w*)>/g)].entries())
      letters[Number.parseInt(first, 16) + offset] = Buffer.from(hex, 'hex')
        .swap16()
        .toString('utf16le')
  return letters
}
