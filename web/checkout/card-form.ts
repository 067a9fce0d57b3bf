import { type CardScript, loadCardScript, loadPatienceMs, type MountedCard } from './card-script.ts'
import type { SaleWorld } from './sale-world.ts'

/** Where the widget goes. Outside any form: it brings one of its own. */
export const cardPlaceId = 'sumup-card'

type CardSurroundings = { sdkUrl: string; email: () => string; nonce: () => string | undefined }

/** The card form on the page: at most one at a time, each mount paired with its unmount. */
export function cardFormOf({ sdkUrl, email, nonce }: CardSurroundings): SaleWorld['card'] {
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
        setTimeout(() => reject(new Error('the card form did not appear')), loadPatienceMs)
        mounted = script?.mount({
          id: cardPlaceId,
          checkoutId,
          amount,
          currency,
          locale: 'en-GB',
          showSubmitButton: false,
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
