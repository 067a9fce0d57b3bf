import type { OpenCheckout } from '#contract/checkouts.ts'

import type { SaleWorld } from './sale-world.ts'

/** Where the widget goes. Outside any form: it brings one of its own. */
export const cardPlaceId = 'sumup-card'

/** Neither the script nor the form is waited for longer, in ms. */
const loadTimeoutMs = 10_000

/** The options of SumUp's widget that we use. */
type CardOptions = Pick<OpenCheckout, 'checkoutId' | 'amount' | 'currency'> & {
  id: string
  locale: 'en-GB'
  showSubmitButton: false
  showZipCode: boolean
  email?: string
  nonce?: string | undefined
  onLoad: () => void
  onResponse: (type: string, body: unknown) => void
  onPaymentMethodsLoad: () => string[]
}

/** What a mounted widget can be told. */
type MountedCard = {
  submit: () => void
  unmount: () => void
  update: (changes: { checkoutId: string }) => void
}

type CardScript = { mount: (options: CardOptions) => MountedCard }

type CardSurroundings = {
  sdkUrl: string
  needsZipCode: boolean
  email: () => string
  nonce: () => string | undefined
}

/** The card form on the page: at most one at a time, each mount paired with its unmount. */
export function cardFormOf({
  sdkUrl,
  needsZipCode,
  email,
  nonce,
}: CardSurroundings): SaleWorld['card'] {
  let script: CardScript | undefined
  let mounted: MountedCard | undefined
  /** Which mount is the current one; what an earlier one still says is not heard. */
  let mounts = 0

  function unmount(): void {
    mounts += 1
    try {
      mounted?.unmount()
    } catch {
      // A widget that breaks while leaving has left all the same: its place is emptied below.
    }
    mounted = undefined
    document.getElementById(cardPlaceId)?.replaceChildren()
  }

  return {
    async load() {
      script = await loadCardScript(sdkUrl)
    },

    async mount({ checkoutId, amount, currency }, listener) {
      unmount()
      const mount = mounts
      let isLoaded = false
      await new Promise<void>((resolve, reject) => {
        setTimeout(() => reject(new Error('the card form did not appear')), loadTimeoutMs)
        mounted = script?.mount({
          id: cardPlaceId,
          checkoutId,
          amount,
          currency,
          locale: 'en-GB',
          showSubmitButton: false,
          showZipCode: needsZipCode,
          ...(email() !== '' && { email: email() }),
          nonce: nonce(),
          onLoad: () => {
            isLoaded = true
            resolve()
          },
          onResponse: (type, body) => {
            if (mount !== mounts) return
            if (isLoaded) listener(type, body)
            else if (type === 'error') reject(new Error('the card form refused the checkout'))
          },
          onPaymentMethodsLoad: () => ['card'],
        })
      })
    },

    renew: (checkoutId) => mounted?.update({ checkoutId }),

    reveal: () => document.getElementById(cardPlaceId)?.scrollIntoView({ block: 'center' }),

    submit() {
      if (!mounted) throw new Error('there is no card form')
      mounted.submit()
    },

    unmount,
  }
}

/** SumUp's script, added to the page once. One that failed is removed, so that the next try is a real one. */
async function loadCardScript(address: string): Promise<CardScript> {
  const known = findCardScript()
  if (known) return known
  const script = document.createElement('script')
  script.src = address
  script.async = true
  try {
    await new Promise<void>((resolve, reject) => {
      script.addEventListener('load', () => resolve())
      script.addEventListener('error', () => reject(new Error('the card script did not load')))
      setTimeout(() => reject(new Error('the card script took too long')), loadTimeoutMs)
      document.head.append(script)
    })
    const loaded = findCardScript()
    if (!loaded) throw new Error('the card script brought no widget')
    return loaded
  } catch (error) {
    script.remove()
    throw error
  }
}

function findCardScript(): CardScript | undefined {
  return (globalThis as { SumUpCard?: CardScript }).SumUpCard
}

/** A text in what the widget reports, which may be a list. It is passed on or shown, never interpreted. */
export function textIn(body: unknown, name: string): string | undefined {
  const said: unknown = Array.isArray(body) ? body[0] : body
  if (typeof said !== 'object' || said === null) return undefined
  const text: unknown = (said as Record<string, unknown>)[name]
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}
