import { isSecret, settingNames } from './settings.ts'

/** Short names such as HOST are near to too many innocent ones. */
const shortestGuessed = 8
const typosForgiven = 2

const known = new Set<string>(
  settingNames.flatMap((name) => (isSecret(name) ? [name, `${name}_FILE`] : [name])),
)

/** The setting somebody meant by a name that is not one: SUMUP_APIKEY, ADMIN_PASWORD, PublicUrl. */
export function nearestSetting(name: string): string | undefined {
  if (known.has(name)) return undefined
  const plain = plainName(name)
  return [...known].find((setting) => {
    const long = Math.min(name.length, setting.length) >= shortestGuessed
    // A dash or a capital is no typo: DATADIR can only be DATA_DIR.
    return (
      plain === plainName(setting) ||
      (long && countTypos(plain, plainName(setting)) <= typosForgiven)
    )
  })
}

export function isKnown(name: string): boolean {
  return known.has(name)
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** Letters to add, drop or change to make one word of the other (Levenshtein). */
function countTypos(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > typosForgiven) return Infinity
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of from.split('').entries()) {
    const next = [index + 1]
    for (const [column, other] of to.split('').entries()) {
      const swap = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(swap, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? Infinity
}
