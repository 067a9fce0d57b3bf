/** A map of at most `maxEntries`: whatever was not used for longest makes room. */
export function createLru<Key, Value extends object>(maxEntries: number) {
  // A Map keeps its entries in the order in which they were set: the first was not used for longest.
  const entries = new Map<Key, Value>()

  function set(key: Key, value: Value): void {
    entries.delete(key)
    const [oldest] = entries.size >= maxEntries ? entries.keys() : []
    if (oldest !== undefined) entries.delete(oldest)
    entries.set(key, value)
  }

  return {
    get(key: Key): Value | undefined {
      const value = entries.get(key)
      if (value) set(key, value)
      return value
    },
    set,
    delete: (key: Key): void => void entries.delete(key),
  }
}

/** Keeps the results for the last texts: visitors send the same few all the time, and anyone can send others. */
export function memoize<Result>(
  maxEntries: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const results = createLru<string, { result: Result }>(maxEntries)
  return (text) => {
    const known = results.get(text)
    if (known) return known.result
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
