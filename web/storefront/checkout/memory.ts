import { type BuyerForm, choiceIds, emptyForm, fieldIds } from './buyer-form.ts'

/**
 * What the browser remembers, never a card. In this tab: what is typed, and whose card was submitted. On this
 * device, only if asked for: contact and delivery. The version is part of each key.
 */
const keptKey = 'till.buyer.v1'
const reloadedKey = 'till.reloaded.v1'
const draftKey = (productId: string) => `till.draft.v1.${productId}`
const payingKey = (productId: string) => `till.paying.v1.${productId}`

/** A second reload within this time would be a circle, in ms. */
const circleMs = 15_000

export function keepDraft(productId: string, form: BuyerForm): void {
  write('session', draftKey(productId), JSON.stringify(form))
}

export function maybeDraft(productId: string): BuyerForm | undefined {
  return readForm(read('session', draftKey(productId)))
}

/** Keeps contact and delivery on this device. Consent to news and billing are asked for each time. */
export function keepBuyer({ texts }: BuyerForm): void {
  const kept = Object.entries(texts).filter(([id]) => !id.startsWith('billing-'))
  write(
    'local',
    keptKey,
    JSON.stringify({ texts: Object.fromEntries(kept), choices: { isKept: true } }),
  )
}

export function maybeKeptBuyer(): BuyerForm | undefined {
  return readForm(read('local', keptKey))
}

export function forgetBuyer(): void {
  write('local', keptKey, undefined)
}

export function payingMemory(productId: string) {
  const key = payingKey(productId)
  return {
    remembered: () => read('session', key) ?? undefined,
    remember: (checkoutId: string) => write('session', key, checkoutId),
    forget: () => write('session', key, undefined),
  }
}

/** The sale is done: nothing of it stays in this tab. */
export function forgetSale(productId: string): void {
  write('session', draftKey(productId), undefined)
  payingMemory(productId).forget()
}

/** Notes why the page is about to load anew. Answers false if it just did, and that did not help. */
export function noteReload(why: string | undefined): boolean {
  const [time] = (read('session', reloadedKey) ?? '').split('|')
  if (Date.now() - Number(time) < circleMs) return false
  write('session', reloadedKey, `${Date.now()}|${why ?? ''}`)
  return true
}

/** Why the page was loaded anew, told once. */
export function takeReloadReason(): string | undefined {
  const [time, why] = (read('session', reloadedKey) ?? '').split('|')
  if (why) write('session', reloadedKey, `${time}|`)
  return why || undefined
}

/** Only what we know, in the shape we know: the storage may hold anything. */
export function readForm(json: string | null): BuyerForm | undefined {
  if (json === null) return undefined
  try {
    const { texts, choices } = JSON.parse(json) as Partial<Record<keyof BuyerForm, object>>
    return {
      texts: { ...emptyForm.texts, ...pick(texts, fieldIds, 'string') },
      choices: { ...emptyForm.choices, ...pick(choices, choiceIds, 'boolean') },
    }
  } catch {
    return undefined
  }
}

function pick(from: object | undefined, names: readonly string[], type: 'string' | 'boolean') {
  return Object.fromEntries(
    Object.entries(from ?? {}).filter(
      ([name, value]) => names.includes(name) && typeof value === type,
    ),
  )
}

/** Where a browser forbids storage, nothing is remembered and everything else works. */
function read(where: 'local' | 'session', key: string): string | null {
  try {
    return storageOf(where).getItem(key)
  } catch {
    return null
  }
}

function write(where: 'local' | 'session', key: string, text: string | undefined): void {
  try {
    if (text === undefined) storageOf(where).removeItem(key)
    else storageOf(where).setItem(key, text)
  } catch {
    // See read().
  }
}

function storageOf(where: 'local' | 'session'): Storage {
  return where === 'local' ? localStorage : sessionStorage
}
