/**
 * Reads each text once, and keeps what came of so many: visitors bring the same few all the time. Anyone can bring
 * others, so that it begins anew when it is full.
 */
export function rememberUpTo<Meaning>(
  most: number,
  read: (text: string) => Meaning,
): (text: string) => Meaning {
  const kept = new Map<string, { meaning: Meaning }>()
  return (text) => {
    const known = kept.get(text)
    if (known) return known.meaning
    if (kept.size >= most) kept.clear()
    const meaning = read(text)
    kept.set(text, { meaning })
    return meaning
  }
}
