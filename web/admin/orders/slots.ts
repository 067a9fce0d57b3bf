type Key = string | number | bigint

/**
 * Rows that scroll out of sight leave their place in the page to those that come in: changing some words is many times
 * quicker than making a row anew. A row keeps its place for as long as it is shown, and with it its focus.
 */
export function makeSlots() {
  let taken = new Map<Key, number>()

  return function assign(shown: readonly Key[]): number[] {
    const kept = new Map(shown.flatMap((key) => slotOf(key)))
    const used = new Set(kept.values())
    let next = 0
    for (const key of shown) {
      if (kept.has(key)) continue
      while (used.has(next)) next += 1
      used.add(next)
      kept.set(key, next)
    }
    taken = kept
    return shown.map((key) => kept.get(key) ?? 0)
  }

  function slotOf(key: Key): [Key, number][] {
    const slot = taken.get(key)
    return slot === undefined ? [] : [[key, slot]]
  }
}
