/** What an attack found: figures to print, and the faults of each kind, which must be none. */
export type Findings = { figures: string[]; faults: Record<string, string[]> }

/** A list for each kind of fault, so that a kind without any is printed as well. */
export function createFaults<Kind extends string>(...kinds: Kind[]): Record<Kind, string[]> {
  return Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<Kind, string[]>
}

const maxShown = 10

export function describeFindings({ figures, faults }: Findings): string[] {
  return [
    ...figures.map((figure) => `  ${figure}`),
    ...Object.entries(faults).flatMap(([kind, found]) => [
      `  ${found.length} ${kind}`,
      ...found.slice(0, maxShown).map((fault) => `      ${fault}`),
    ]),
  ]
}

export function countFindings({ faults }: Findings): number {
  return Object.values(faults).reduce((sum, found) => sum + found.length, 0)
}
