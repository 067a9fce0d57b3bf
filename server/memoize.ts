/**
 * Keeps the results for the last texts: visitors send the same few all the time. Anyone can send others, so it starts
 * over when it is full.
 */
export function memoize<Result>(
  maxEntries: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const results = new Map<string, { result: Result }>()
  return (text) => {
    const known = results.get(text)
    if (known) return known.result
    if (results.size >= maxEntries) results.clear()
    const result = compute(text)
    results.set(text, { result })
    return result
  }
}

/** Keeps the last answer for a while, for as long as the same thing is asked about. */
export function rememberFor<About, Answer>(
  ms: number,
  ask: (about: About) => Promise<Answer>,
): (about: About) => Promise<Answer> {
  let asked: { about: About; at: number; answer: Promise<Answer> } | undefined
  return (about) => {
    if (!asked || asked.about !== about || performance.now() - asked.at > ms)
      asked = { about, at: performance.now(), answer: ask(about) }
    return asked.answer
  }
}
