/** '1 order', '2 orders', '1,234 views' */
export function count(number: number, thing: string): string {
  return `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`
}

export function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
