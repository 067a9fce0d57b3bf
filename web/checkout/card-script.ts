import type { OpenCheckout } from '#contract/orders.ts'

/** What a mounted widget can be told. */
export type MountedCard = {
  submit: () => void
  unmount: () => void
  update: (changes: { checkoutId: string }) => void
}

/** The options of SumUp's widget that we use. */
export type CardOptions = Pick<OpenCheckout, 'checkoutId' | 'amount' | 'currency'> & {
  id: string
  locale: 'en-GB'
  showSubmitButton: false
  email?: string
  nonce?: string
  onLoad: () => void
  onResponse: (type: string, body: unknown) => void
  onPaymentMethodsLoad: () => string[]
}

export type CardScript = { mount: (options: CardOptions) => MountedCard }

export const loadPatienceMs = 10_000

/** SumUp's script, added to the page once. One that failed is removed, so that the next try is a real one. */
export async function loadCardScript(address: string): Promise<CardScript> {
  const known = maybeCardScript()
  if (known) return known
  const script = document.createElement('script')
  script.src = address
  script.async = true
  try {
    await new Promise<void>((resolve, reject) => {
      script.addEventListener('load', () => resolve())
      script.addEventListener('error', () => reject(new Error('the card script did not load')))
      setTimeout(() => reject(new Error('the card script took too long')), loadPatienceMs)
      document.head.append(script)
    })
    const loaded = maybeCardScript()
    if (!loaded) throw new Error('the card script brought no widget')
    return loaded
  } catch (error) {
    script.remove()
    throw error
  }
}

function maybeCardScript(): CardScript | undefined {
  return (globalThis as { SumUpCard?: CardScript }).SumUpCard
}
