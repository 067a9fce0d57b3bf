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

/** One question at a time, and its answer for a while, unless what it is about has changed. */
export function rememberFor<Answer>(
  ms: number,
  ask: () => Promise<Answer>,
  about: () => unknown = () => undefined,
): () => Promise<Answer> {
  let asked: { at: number; about: unknown; answer: Promise<Answer> } | undefined
  return () => {
    const subject = about()
    if (!asked || asked.about !== subject || performance.now() - asked.at > ms)
      asked = { at: performance.now(), about: subject, answer: ask() }
    return asked.answer
  }
}
