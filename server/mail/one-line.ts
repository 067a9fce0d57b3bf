/** Line ends and other controls, and the marks that turn the direction of all the text after them. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu

/** What somebody typed, as part of a header or as one line: it cannot begin another. */
export function oneLine(text: string): string {
  return text.replaceAll(unfit, ' ').replaceAll(/ {2,}/g, ' ').trim()
}
