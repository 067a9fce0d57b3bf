import type { CheckoutStatus, OpenCheckout } from '#contract/checkouts.ts'
import { type RefusalCode, type RefusalFacts, refusals } from '#contract/refusals.ts'
import { FailedCall } from '#web/api.ts'
import { detailsOf, emptyForm } from '#web/storefront/checkout/buyer-form.ts'
import { createSale } from '#web/storefront/checkout/sale.ts'
import type { SaleWorld, WidgetListener } from '#web/storefront/checkout/sale-world.ts'

export const minuteMs = 60_000

export function checkout(checkoutId: string): OpenCheckout {
  return { checkoutId, amount: '49.00', currency: 'EUR', validUntil: '2030-01-01T00:30:00Z' }
}

/** A no of the server, as it travels. */
export function refusal(
  code: RefusalCode,
  facts: RefusalFacts & { message?: string } = {},
): FailedCall {
  const { status, text } = refusals[code]
  return new FailedCall(status, '', JSON.stringify({ message: text, error: text, code, ...facts }))
}

/** An answer that is not the shop's own. */
export const proxyFault = new FailedCall(502, 'Bad Gateway', '<html>Bad Gateway</html>')

export const noCard: CheckoutStatus = { state: 'waiting', reason: 'no-card' }

/** A world without a browser, whose clock moves only when told to. */
export function openTestWorld() {
  const diary: string[] = []
  const timers: { atMs: number; ring: () => void }[] = []
  let clockMs = 0
  let remembered: string | undefined
  let listener: WidgetListener = () => undefined
  let made = 0
  let isMounted = false
  const note = (text: string) => void diary.push(text)

  const world: SaleWorld = {
    calls: {
      openCheckout: async () => ({ checkout: checkout(`c${++made}`), lastsMs: 30 * minuteMs }),
      keepDetails: async (id) => note(`details ${id}`),
      getStatus: async () => noCard,
      startOver: async (id) => note(`start over ${id}`),
      placeOrder: async (id) => {
        note(`order ${id}`)
        return { id: 'o1' }
      },
    },
    card: {
      load: async () => undefined,
      mount: async ({ checkoutId }, hear) => {
        note(`mount ${checkoutId}`)
        isMounted = true
        listener = hear
      },
      renew: (id) => note(`renew ${id}`),
      reveal: () => undefined,
      submit: () => note('submit'),
      unmount: () => {
        if (isMounted) note('unmount')
        isMounted = false
      },
    },
    memory: {
      remembered: () => remembered,
      remember: (id) => {
        remembered = id
      },
      forget: () => {
        remembered = undefined
      },
    },
    details: () => detailsOf(emptyForm),
    showToast: ({ title, description }) => note(`say ${title}: ${description as string}`),
    thank: (orderId) => note(`thank ${orderId}`),
    reload: () => {
      note('reload')
      return true
    },
    pause: (ms) => new Promise((resolve) => timers.push({ atMs: clockMs + ms, ring: resolve })),
    nowMs: () => clockMs,
  }
  const sale = createSale(world)

  /** Lets time pass, one alarm after the other. */
  async function pass(ms: number) {
    const untilMs = clockMs + ms
    for (;;) {
      await settled()
      const next = timers.toSorted((a, b) => a.atMs - b.atMs)[0]
      if (!next || next.atMs > untilMs) break
      timers.splice(timers.indexOf(next), 1)
      clockMs = next.atMs
      next.ring()
    }
    clockMs = untilMs
    await settled()
  }

  return {
    world,
    sale,
    diary,
    pass,
    is: () => sale.payment().is,
    remembered: () => remembered,
    hear: async (type: string, body?: unknown) => {
      listener(type, body)
      await settled()
    },
    stands: (status: CheckoutStatus) => {
      world.calls.getStatus = async () => status
    },
    /** Every call of this kind is refused from now on. */
    refuse: (call: keyof SaleWorld['calls'], error: Error) => {
      Object.assign(world.calls, { [call]: () => Promise.reject(error) })
    },
    /** A buyer before a card form that is ready. */
    opened: async () => {
      await sale.open()
      diary.length = 0
    },
    /** A buyer whose card has left. */
    submitted: async () => {
      await sale.open()
      void sale.pay()
      await settled()
      listener('sent', {})
      diary.length = 0
    },
  }
}

/** Everything that waits for nothing but its turn has had it. */
export async function settled() {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve()
}
