export type Random = ReturnType<typeof createRandom>

/** A random generator that repeats itself for the same seed (Mulberry32): for proofs and the demo. */
export function createRandom(seed: number) {
  let state = seed >>> 0

  /** From 0 to just below 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const between = (min: number, max: number): number => min + next() * (max - min)

  function pick<Item>(items: readonly [Item, ...Item[]]): Item
  function pick<Item>(items: readonly Item[]): Item | undefined
  function pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(next() * items.length)]
  }

  return {
    next,
    between,
    /** Both included. */
    integer: (min: number, max: number): number => Math.floor(between(min, max + 1)),
    chance: (probability: number): boolean => next() < probability,
    pick,
    shuffle: <Item>(items: readonly Item[]): Item[] =>
      items
        .map((item) => ({ item, rank: next() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
  }
}
