import { type Carrier, carriers } from '#contract/carriers.ts'

const storageKey = 'last-carrier'

/** The carrier that was chosen last in this browser: most shops use one. */
export function readLastCarrier(): Carrier | undefined {
  try {
    const stored = localStorage.getItem(storageKey)
    return carriers.find((carrier) => carrier === stored)
  } catch {
    return undefined
  }
}

export function rememberCarrier(carrier: Carrier): void {
  try {
    localStorage.setItem(storageKey, carrier)
  } catch {
    // Without storage it is chosen again.
  }
}
