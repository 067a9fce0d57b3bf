import type { OpenCheckout } from '#contract/checkouts.ts'
import { languages } from '#contract/languages.ts'
import type { OtherMethod } from '#contract/payment-methods.ts'
import type { CheckoutFormData } from '#contract/public-pages.ts'
import { language } from '#web/storefront/shell/language.ts'
import { nonceId } from '#web/storefront/shell/page-data.ts'

/** Must not be inside a form: the widget brings its own. */
export const cardContainerId = 'sumup-card'

/** So long a page waits for the script before it says so. On a slow network it comes later. */
const scriptTimeoutMs = 10_000
/** After this, another request has better chances. */
const maxScriptMs = 60_000
/** A widget that has not reported by then counts as loaded: some never do. */
const widgetLoadMs = 2_000

/** The options of SumUp's widget that we use. */
type WidgetOptions = Pick<OpenCheckout, 'checkoutId' | 'amount' | 'currency'> & {
  id: string
  locale: string
  showSubmitButton: boolean
  showZipCode: boolean
  email?: string
  nonce?: string | undefined
  onLoad: () => void
  onResponse: WidgetListener
  onPaymentMethodsLoad: (loaded: unknown) => string[]
  googlePay?: CheckoutFormData['googlePay']
}

/** Receives SumUp's own event names, and 'loaded' from a form that had only counted as loaded. */
export type WidgetListener = (type: string, body: unknown) => void

type MountedWidget = {
  submit: () => void
  unmount: () => void
  update: (changes: { checkoutId: string }) => void
}

type WidgetScript = { mount: (options: WidgetOptions) => MountedWidget }

/** `onMethods` is told which of the shop's other ways to pay SumUp has for the checkout. */
type MountOptions = { isOther?: boolean; onMethods?: (methods: OtherMethod[]) => void }

export type CardWidget = ReturnType<typeof createCardWidget>

/** SumUp's card form on the page: at most one is mounted at a time. */
export function createCardWidget(
  {
    sdkUrl,
    needsZipCode,
    otherMethods = [],
    googlePay,
  }: Pick<CheckoutFormData, 'sdkUrl' | 'needsZipCode' | 'otherMethods' | 'googlePay'>,
  getEmail: () => string,
) {
  let script: WidgetScript | undefined
  let mounted: MountedWidget | undefined
  /** Events of an earlier mount are ignored. */
  let currentMount = 0

  function unmount(): void {
    currentMount += 1
    try {
      mounted?.unmount()
    } catch {
      // Its container is emptied below in any case.
    }
    mounted = undefined
    document.getElementById(cardContainerId)?.replaceChildren()
  }

  return {
    async load(): Promise<void> {
      script = await loadScript(sdkUrl)
    },

    /** With the card form, or with all but it. Resolves with whether it said that it is loaded, or only counts as loaded. */
    async mount(
      checkout: OpenCheckout,
      listener: WidgetListener,
      { isOther = false, onMethods }: MountOptions,
    ): Promise<boolean> {
      unmount()
      const mount = currentMount
      const { checkoutId, amount, currency } = checkout
      const email = getEmail()
      let isLoaded = false
      return new Promise<boolean>((resolve, reject) => {
        const countAsLoaded = (isSaid: boolean) => {
          isLoaded = true
          resolve(isSaid)
        }
        setTimeout(() => countAsLoaded(false), widgetLoadMs)
        mounted = script?.mount({
          id: cardContainerId,
          checkoutId,
          amount,
          currency,
          locale: languages[language()].locale,
          // A card is submitted by Pay now; other methods bring or need a button in the widget.
          showSubmitButton: isOther,
          showZipCode: needsZipCode,
          ...(email !== '' && { email }),
          nonce: document.getElementById(nonceId)?.nonce,
          onLoad: () => {
            if (mount === currentMount && isLoaded) listener('loaded', undefined)
            countAsLoaded(true)
          },
          onResponse: (type, body) => {
            if (mount !== currentMount) return
            if (isLoaded) listener(type, body)
            else if (type === 'error') reject(new Error(type))
          },
          onPaymentMethodsLoad: (loaded) => {
            if (mount === currentMount) onMethods?.(otherMethods.filter(isEligible(loaded)))
            return isOther ? otherMethods : ['card']
          },
          ...(googlePay && { googlePay }),
        })
      })
    },

    updateCheckout(checkoutId: string): void {
      mounted?.update({ checkoutId })
    },

    scrollIntoView(): void {
      document.getElementById(cardContainerId)?.scrollIntoView({ block: 'center' })
    },

    submit(): void {
      if (!mounted) throw new Error('no form')
      mounted.submit()
    },

    unmount,
  }
}

/** What the widget says can pay the checkout: `{ eligible: [{ id }] }`. */
function isEligible(loaded: unknown): (method: OtherMethod) => boolean {
  const { eligible } = (loaded ?? {}) as { eligible?: unknown }
  const list: unknown[] = Array.isArray(eligible) ? eligible : []
  return (method) => list.some((one) => findText(one, 'id') === method)
}

/** The script while it is being loaded. */
let loading: Promise<void> | undefined

async function loadScript(url: string): Promise<WidgetScript> {
  if (!findScript()) {
    loading ??= addScript(url).finally(() => (loading = undefined))
    await Promise.race([loading, failAfter(scriptTimeoutMs)])
  }
  const script = findScript()
  if (!script) throw new Error('The card script defines no widget')
  return script
}

/** Adds SumUp's script to the page. One that failed is removed, so that it can be loaded again. */
async function addScript(url: string): Promise<void> {
  const element = document.createElement('script')
  element.src = url
  element.async = true
  try {
    const loaded = new Promise<void>((resolve, reject) => {
      element.addEventListener('load', () => resolve())
      element.addEventListener('error', () => reject(new Error('The card script did not load')))
      document.head.append(element)
    })
    await Promise.race([loaded, failAfter(maxScriptMs)])
  } catch (error) {
    element.remove()
    throw error
  }
}

function failAfter(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('The card script did not load in time')), ms)
  })
}

function findScript(): WidgetScript | undefined {
  return (globalThis as { SumUpCard?: WidgetScript }).SumUpCard
}

/** A text of a widget event, whose body may be a list. It is passed on or shown, never interpreted. */
export function findText(body: unknown, name: string): string | undefined {
  const event: unknown = Array.isArray(body) ? body[0] : body
  if (typeof event !== 'object' || event === null) return undefined
  const text: unknown = (event as Record<string, unknown>)[name]
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}
