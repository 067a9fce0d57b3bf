/** Reads pages and files as the programs do that show them. */

const rawText = new Set(['script', 'style', 'title', 'textarea', 'noscript', 'iframe', 'xmp'])

type Tag = { name: string; attributes: Map<string, string> }

/** The tags of a page by the rules of HTML's tokenizer, as far as pages of ours use them. */
function readTags(html: string): Tag[] {
  const tags: Tag[] = []
  const token = /<!--[\s\S]*?-->|<(\/?[a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi
  for (let found = token.exec(html); found; found = token.exec(html)) {
    const [, tag, inside = ''] = found
    if (tag === undefined) {
      tags.push({ name: '<!--', attributes: new Map() })
      continue
    }
    const name = tag.toLowerCase()
    const attributes = [
      ...inside.matchAll(/([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g),
    ]
    tags.push({
      name,
      attributes: new Map(
        attributes.map(([, key = '', double, single, bare]) => [
          key.toLowerCase(),
          double ?? single ?? bare ?? '',
        ]),
      ),
    })
    // Nothing in such an element is a tag, until its end.
    if (rawText.has(name)) {
      const end = new RegExp(`</${name}[\\s/>]`, 'gi')
      end.lastIndex = token.lastIndex
      token.lastIndex = end.exec(html)?.index ?? html.length
    }
  }
  return tags
}

/** All elements with the names of their attributes, in order: what no text may change. */
export function outlineHtml(html: string): string {
  return readTags(html)
    .map(({ name, attributes }) => [name, ...attributes.keys()].join(' '))
    .join('\n')
}

const urlAttributes = [
  'href',
  'src',
  'action',
  'formaction',
  'data',
  'xlink:href',
  'poster',
  'srcdoc',
]
const characters: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
}

/** Addresses that a browser would run or read as a page. */
export function findBadLinks(html: string): string[] {
  return readTags(html)
    .flatMap(({ attributes }) => urlAttributes.flatMap((name) => attributes.get(name) ?? []))
    .map((url) => url.replaceAll(/&([\w#]+);/g, (whole, name: string) => characters[name] ?? whole))
    .filter((url) =>
      /^(javascript|vbscript|file|data:(?!image\/))/i.test(url.replaceAll(/[\s\p{Cc}]/gu, '')),
    )
}

/** The JSON in a page, which must still be JSON. */
export function readPageData(html: string): unknown {
  const [, json] = /<script type="application\/json"[^>]*>([\s\S]*?)<\/script/i.exec(html) ?? []
  if (json === undefined) throw new Error('the page has no data')
  return JSON.parse(json)
}

export function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g
  const body = text.replace(/^\uFEFF/, '')
  for (let found = cell.exec(body); found; found = cell.exec(body)) {
    const [, quoted, plain = '', end] = found
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (cell.lastIndex >= body.length) break
    if (end === '\r\n') rows.push([])
  }
  return rows
}

/** Cells that a spreadsheet computes, also one that separates by semicolons or tabs; and rows of another width. */
export function findBadCells(rows: string[][]): string[] {
  const formula = /^[\t\r]|^\s*[=+@＝＋－＠-]|[;\t\r\n][\s"]*[=+@＝＋－＠-]/
  return rows.flatMap((row, at) => [
    ...(row.length === rows[0]?.length ? [] : [`row ${at} has ${row.length} cells`]),
    ...row.filter((cell) => formula.test(cell)).map((cell) => `row ${at}: ${JSON.stringify(cell)}`),
  ])
}
