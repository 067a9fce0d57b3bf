import { type BuyerForm, choiceIds, emptyForm, fieldIds } from './form.ts'

/**
 * What the browser keeps, never a card. In this tab: the form as it was typed, and the checkout whose card was
 * submitted. On this device, only if the buyer asked for it: contact and delivery. The keys carry their version.
 */
const buyerKey = 'till.buyer.v1'
const reloadKey = 'till.reloaded.v1'
const draftKey = (productId: string) => `till.draft.v1.${productId}`
const savedKey = (productId: string) => `till.saved.v1.${productId}`
const submittedKey = (productId: string) => `till.paying.v1.${productId}`

/** A second reload within this time would be a loop. */
const reloadLoopMs = 15_000

export function saveDraft(productId: string, form: BuyerForm): void {
  write('sessionStorage', draftKey(productId), JSON.stringify(form))
}

export function findDraft(productId: string): BuyerForm | undefined {
  return parseForm(read('sessionStorage', draftKey(productId)))
}

/** Consent to news, the billing address and what the product asks for are not saved: they are asked for each time. */
export function saveBuyer({ texts }: BuyerForm): void {
  const isSaved = (id: string) => id !== 'choice' && id !== 'note' && !id.startsWith('billing-')
  const saved = Object.entries(texts).filter(([id]) => isSaved(id))
  const form = { texts: Object.fromEntries(saved), choices: { isKept: true } }
  write('localStorage', buyerKey, JSON.stringify(form))
}

export function findSavedBuyer(): BuyerForm | undefined {
  return parseForm(read('localStorage', buyerKey))
}

export function deleteSavedBuyer(): void {
  write('localStorage', buyerKey, undefined)
}

export type SubmittedCheckout = ReturnType<typeof submittedCheckoutOf>

/** The checkout whose card was submitted in this tab. It survives a reload, and a payment on a page elsewhere. */
export function submittedCheckoutOf(productId: string) {
  const key = submittedKey(productId)
  return {
    find: () => read('sessionStorage', key) ?? undefined,
    save: (checkoutId: string) => write('sessionStorage', key, checkoutId),
    delete: () => write('sessionStorage', key, undefined),
  }
}

/** Tells other tabs with this product that details were saved. Nothing stays in the storage. */
export function tellOtherTabs(productId: string): void {
  write('localStorage', savedKey(productId), 'now')
  write('localStorage', savedKey(productId), undefined)
}

export function onOtherTab(productId: string, listener: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key === savedKey(productId) && newValue !== null) listener()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

export function deleteSale(productId: string): void {
  write('sessionStorage', draftKey(productId), undefined)
  submittedCheckoutOf(productId).delete()
}

/** Saves why the page is about to be reloaded. Returns false if it just was, and that did not help. */
export function saveReload(reason: string | undefined): boolean {
  const [timeMs] = (read('sessionStorage', reloadKey) ?? '').split('|')
  if (Date.now() - Number(timeMs) < reloadLoopMs) return false
  write('sessionStorage', reloadKey, `${Date.now()}|${reason ?? ''}`)
  return true
}

/** Why the page was reloaded; only the first call returns it. */
export function takeReloadReason(): string | undefined {
  const [timeMs, reason] = (read('sessionStorage', reloadKey) ?? '').split('|')
  if (reason) write('sessionStorage', reloadKey, `${timeMs}|`)
  return reason || undefined
}

/** Takes only known fields of the right type: the storage may hold anything. */
export function parseForm(json: string | null): BuyerForm | undefined {
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

type StorageName = 'localStorage' | 'sessionStorage'

/** A browser may forbid storage: reading the property itself throws then. The checkout works without it. */
function read(storage: StorageName, key: string): string | null {
  try {
    return window[storage].getItem(key)
  } catch {
    return null
  }
}

function write(storage: StorageName, key: string, text: string | undefined): void {
  try {
    if (text === undefined) window[storage].removeItem(key)
    else window[storage].setItem(key, text)
  } catch {
    // See read().
  }
}
