export type Chance = ReturnType<typeof chanceOf>

/** Chance that can be repeated: the same seed draws the same lots. Mulberry32. */
export function chanceOf(seed: number) {
  let state = seed >>> 0

  function draw(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const between = (least: number, most: number) => least + draw() * (most - least)

  return {
    between,
    happens: (share: number) => draw() < share,
    pick<Item>(items: readonly Item[]): Item | undefined {
      return items[Math.floor(between(0, items.length))]
    },
    shuffle<Item>(items: readonly Item[]): Item[] {
      return items
        .map((item) => ({ item, lot: draw() }))
        .toSorted((a, b) => a.lot - b.lot)
        .map(({ item }) => item)
    },
  }
}
