export type Chance = ReturnType<typeof chanceOf>

/** Chance that can be repeated: the same seed and number draw the same lots. Mulberry32. */
export function chanceOf(seed: number, number: number) {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca77)) >>> 0

  function draw(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const between = (least: number, most: number) => least + draw() * (most - least)
  const whole = (least: number, most: number) => Math.floor(between(least, most + 1))

  function pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[whole(0, items.length - 1)] ?? items[0]
  }

  /** More often what stands first, as in life. */
  function pickEarly<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(draw() ** 1.7 * items.length)] ?? items[0]
  }

  return { between, whole, pick, pickEarly, happens: (share: number) => draw() < share }
}
