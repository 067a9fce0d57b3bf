import './english.ts'
import type { CheckoutStatus, OpenCheckout } from '#contract/checkouts.ts'
import type { OtherMethod } from '#contract/payment-methods.ts'
import { type RefusalCode, type RefusalFacts, refusals } from '#contract/refusals.ts'
import { ApiError } from '#web/api.ts'
import type { WidgetListener } from '#web/storefront/checkout/card-widget.ts'
import { emptyForm, toCheckoutDetails } from '#web/storefront/checkout/form.ts'
import { createSale } from '#web/storefront/checkout/sale.ts'
import type { SaleDeps } from '#web/storefront/checkout/sale-deps.ts'

export const minuteMs = 60_000

export function createCheckout(checkoutId: string): OpenCheckout {
  return { checkoutId, amount: '49.00', currency: 'EUR', validUntil: '2030-01-01T00:30:00Z' }
}

/** A refusal as the server sends it. */
export function createRefusal(
  code: RefusalCode,
  facts: RefusalFacts & { message?: string } = {},
): ApiError {
  const { status, text } = refusals[code]
  return new ApiError(status, '', JSON.stringify({ message: text, error: text, code, ...facts }))
}

export const proxyError = new ApiError(502, 'Bad Gateway', '<html>Bad Gateway</html>')

export const noCard: CheckoutStatus = { state: 'waiting', reason: 'no-card' }

export type TestSale = ReturnType<typeof createTestSale>

/** A sale without a browser. Its clock only moves by `advance`, and `log` lists what it did. */
export function createTestSale(ofCheckout: Pick<OpenCheckout, 'mayLeavePage'> = {}) {
  const log: string[] = []
  const timers: { dueMs: number; resolve: () => void }[] = []
  let clockMs = 0
  let submittedId: string | undefined
  let widgetListener: WidgetListener = () => undefined
  let openedCheckouts = 0
  let isMounted = false
  let saysLoaded = true
  let returnedId: string | undefined
  let eligible: OtherMethod[] = []
  const price = { key: 'Germany', isKnown: true }
  const addToLog = (text: string) => void log.push(text)

  const deps: SaleDeps = {
    api: {
      openCheckout: async () => ({
        checkout: { ...createCheckout(`c${++openedCheckouts}`), ...ofCheckout },
        validForMs: 30 * minuteMs,
        visitorCountry: null,
        priceKey: price.key,
      }),
      saveDetails: async (id, _details, { isCardUnsent }) =>
        addToLog(`details ${id}${isCardUnsent ? ', no card before' : ''}`),
      getStatus: async () => noCard,
      startOver: async (id) => addToLog(`start over ${id}`),
      placeOrder: async (id) => {
        addToLog(`order ${id}`)
        return 'o1'
      },
    },
    widget: {
      load: async () => undefined,
      mount: async ({ checkoutId }, listener, { isOther, onMethods }) => {
        addToLog(`mount ${checkoutId}${isOther ? ', others' : ''}`)
        isMounted = true
        widgetListener = listener
        onMethods?.(eligible)
        return saysLoaded
      },
      updateCheckout: (id) => addToLog(`renew ${id}`),
      scrollIntoView: () => undefined,
      submit: () => addToLog('submit'),
      unmount: () => {
        if (isMounted) addToLog('unmount')
        isMounted = false
      },
    },
    submittedCheckout: {
      find: () => submittedId,
      save: (id) => {
        submittedId = id
      },
      delete: () => {
        submittedId = undefined
      },
    },
    takeReturnedId: () => returnedId,
    getDetails: () => toCheckoutDetails(emptyForm),
    getPrice: () => price,
    markSoldOut: () => addToLog('sold out'),
    suggestCountry: (country) => addToLog(`country ${country}`),
    tellOtherTabs: () => undefined,
    showToast: ({ title, description }) => addToLog(`toast ${title}: ${description as string}`),
    goToThankYou: (orderId) => addToLog(`thank-you ${orderId}`),
    reloadPage: () => {
      addToLog('reload')
      return true
    },
    delay: (ms) => new Promise((resolve) => timers.push({ dueMs: clockMs + ms, resolve })),
    nowMs: () => clockMs,
  }
  const sale = createSale(deps)

  /** Runs the timers that are due by then, one after the other. */
  async function advance(ms: number) {
    const untilMs = clockMs + ms
    for (;;) {
      await flushPromises()
      const next = timers.toSorted((a, b) => a.dueMs - b.dueMs)[0]
      if (!next || next.dueMs > untilMs) break
      timers.splice(timers.indexOf(next), 1)
      clockMs = next.dueMs
      next.resolve()
    }
    clockMs = untilMs
    await flushPromises()
  }

  return {
    deps,
    sale,
    log,
    advance,
    state: () => sale.getPayment().state,
    /** What the page shows now. */
    price,
    findSubmitted: () => submittedId,
    emit: async (type: string, body?: unknown) => {
      widgetListener(type, body)
      await flushPromises()
    },
    /** Until a card form counts as ready that has said nothing. The next ones are the same. */
    openMuteForm: async () => {
      saysLoaded = false
      await sale.open()
      log.length = 0
    },
    setStatus: (status: CheckoutStatus) => {
      deps.api.getStatus = async () => status
    },
    /** Every later call of this kind fails, until the returned function is called. */
    reject: (call: keyof SaleDeps['api'], error: Error) => {
      const { [call]: working } = deps.api
      Object.assign(deps.api, { [call]: () => Promise.reject(error) })
      return () => void Object.assign(deps.api, { [call]: working })
    },
    /** A payment elsewhere leads back to the page. */
    comeBackFrom: (checkoutId: string) => {
      returnedId = checkoutId
    },
    /** What SumUp has beside the card. */
    setMethods: (methods: OtherMethod[]) => {
      eligible = methods
    },
    /** Until the card form is ready. */
    openForm: async () => {
      await sale.open()
      log.length = 0
    },
    /** Until the other ways to pay are in its place. */
    openOthers: async () => {
      await sale.open()
      void sale.payOtherwise()
      await flushPromises()
      log.length = 0
    },
    /** Until SumUp has the card. */
    submitCard: async () => {
      await sale.open()
      void sale.pay()
      await flushPromises()
      widgetListener('sent', {})
      log.length = 0
    },
  }
}

/** Lets everything finish that waits for no timer. */
export async function flushPromises() {
  for (let round = 0; round < 30; round += 1) await Promise.resolve()
}
