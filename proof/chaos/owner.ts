import type { ReviewEntry } from '#contract/checkouts.ts'
import { formatCents, toCents } from '#contract/money.ts'
import { defaultMethods, otherMethodIds } from '#contract/payment-methods.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { DeliverySettings } from '#contract/quotes.ts'
import type { OrderRefunds, RefundOutcome } from '#contract/refunds.ts'
import type { SettingsSection, ShopSettings } from '#contract/shop-settings.ts'
import type { Withdrawal } from '#contract/withdrawals.ts'
import { sql } from '#server/db/drizzle.ts'
import { createRandom } from '#tools/random.ts'
import { repeatUntilStopped, type RangeMs, type Rhythm } from './disturbances.ts'
import type { Credentials, Environment } from './environment.ts'
import { isRefundedInApp, type History } from './history.ts'
import { countries, pickupPlace } from './visitors.ts'

/* What the owner does in the back-office over HTTP, on whichever server is up, while people buy. */

const ownerEventsMs: RangeMs = [200, 800]
/** Pages that are open meanwhile ask for another price, and are loaded again. */
const deliveryChangesMs: RangeMs = [2_000, 5_000]
const visitorsPerOwnerEvent = 0.1
const ordersAtOnce = 3

/** The owner sets these in turn. None of the prices makes an amount that SumUp's sandbox always declines. */
const deliveries = [
  ['4.90', '9.50', null],
  ['12.30', '4.90', '60.00'],
  ['9.50', '12.30', null],
].map(([home, abroad, freeFrom]): DeliverySettings => ({
  countries: [...countries],
  prices: [
    { countries: ['Germany'], price: home ?? '', freeFrom: freeFrom ?? null },
    { countries: ['France', 'Belgium'], price: abroad ?? '', freeFrom: null },
  ],
  pickup: pickupPlace,
}))

export type Owner = Awaited<ReturnType<typeof signIn>>

export async function signIn(
  { owner, servers }: Pick<Environment, 'servers'> & { owner: Credentials },
  history: History,
  seed: number,
) {
  const { username, password } = owner
  const random = createRandom(seed)
  const answer = await fetch(`${servers[0]?.address}${apiRoutes.adminLogin}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  if (!answer.ok) throw new Error(`login: ${answer.status} ${await answer.text()}`)
  const cookie = answer.headers.getSetCookie().map((text) => text.split(';')[0])
  const headers = { cookie: cookie.join('; '), 'content-type': 'application/json' }
  let deliveryChanges = 0

  /** Undefined if the call was refused, or nobody answered. */
  async function call<Answer>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
  ): Promise<Answer | undefined> {
    const ready = servers.filter((one) => one.isReady())
    const server = random.pick(ready.length > 0 ? ready : servers)
    try {
      const answered = await fetch(`${server?.address}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      return answered.ok ? (JSON.parse(text || '{}') as Answer) : undefined
    } catch {
      return undefined
    }
  }

  async function saveSettings(section: SettingsSection, values: object): Promise<boolean> {
    const settings = await call<ShopSettings>('GET', apiRoutes.settings)
    const url = pathOf(apiRoutes.settingsSection, { section })
    const body = { version: settings?.version, values, password }
    return (await call('PUT', url, body)) !== undefined
  }

  return {
    call,
    password,
    random,
    /** Recorded before it is saved, because a page may show it at once. */
    async changeDelivery(): Promise<void> {
      const next = deliveries[deliveryChanges % deliveries.length]
      if (!next) return
      history.deliveries.push(next)
      if (await saveSettings('delivery', next)) deliveryChanges += 1
    },
    /** Switches on every way to pay beside the card. */
    async offerOtherWays(): Promise<void> {
      const values = { ...defaultMethods, otherMethods: otherMethodIds }
      if (!(await saveSettings('methods', values))) throw new Error('No other ways to pay')
    },
    deliveryChanges: () => deliveryChanges,
  }
}

/** Refunds what is missing of what is to go back, at first perhaps a part of that; `isWhole`: all there is, at once. */
export async function refund(
  { call, random, password }: Owner,
  { refunds: { goals, told } }: History,
  orderId: string,
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<void> {
  const path = pathOf(apiRoutes.orderRefunds, { id: orderId })
  const shown = await call<OrderRefunds>('GET', path)
  if (!shown || shown.blockedBy !== null) return
  const left = toCents(shown.left)
  const done = shown.refunds.filter(({ state, isOfOrder }) => state === 'done' && isOfOrder)
  const returned = done.reduce((sum, { amount }) => sum + toCents(amount), 0)
  const isPartOnly = !isWhole && random.chance(0.3)
  const known = isWhole ? undefined : goals.get(orderId)
  const goal = known ?? (isPartOnly ? Math.ceil(left / 3) : left + returned)
  goals.set(orderId, goal)
  const missing = Math.min(goal - returned, left)
  if (missing <= 0) return
  const isInParts = !isWhole && shown.refunds.length === 0 && random.chance(0.5)
  const cents = isInParts ? Math.ceil(missing / 2) : missing
  const body = {
    version: shown.version,
    amount: formatCents(cents),
    ...(cents > toCents(shown.freeAmount) && { password }),
    ...(cents === left && shown.hasPiece && { isBackInStock: true }),
  }
  // Now and then a double click, or a second admin, on another server.
  const times = random.chance(0.25) ? 2 : 1
  const url = pathOf(apiRoutes.orderRefund, { id: orderId })
  const asked = Array.from({ length: times }, () => call<RefundOutcome>('POST', url, body))
  for (const outcome of await Promise.all(asked)) if (outcome) told.push({ orderId, outcome })
}

/** Refunds, ships, marks withdrawals as handled, decides about reviews and changes what delivery costs, again and again. */
export function startOwnerEvents(
  { db }: Environment,
  owner: Owner,
  history: History,
  rhythm: Rhythm,
) {
  const { call, random } = owner

  async function pickOrders(isChosen: (order: { checkoutId: string }) => boolean) {
    const { rows } = await db.execute<{ id: string; checkoutId: string }>(
      sql`select id, sumup_checkout_id as "checkoutId" from orders`,
    )
    const chosen = random.shuffle(rows.filter(isChosen))
    return chosen.slice(0, ordersAtOnce).map(({ id }) => id)
  }

  const events: Record<string, () => Promise<void>> = {
    async 'refund orders'() {
      const ids = await pickOrders((order) => !isRefundedInApp(order))
      await Promise.all(ids.map((id) => refund(owner, history, id)))
    },
    async 'ship orders'() {
      const ship = async (id: string) => {
        history.shipped.asked.add(id)
        const parcel = { carrier: 'dhl', trackingNumber: '00340434161094042557' }
        const path = pathOf(apiRoutes.orderShipment, { id })
        if (await call('PUT', path, parcel)) history.shipped.told.add(id)
      }
      await Promise.all((await pickOrders(() => true)).map(ship))
    },
    async 'handle a withdrawal'() {
      const id = random.pick((await call<Withdrawal[]>('GET', apiRoutes.withdrawals)) ?? [])?.id
      if (!id) return
      history.handled.asked.add(id)
      const path = pathOf(apiRoutes.withdrawalHandled, { id })
      if (await call('POST', path, { note: 'Sent another one' })) history.handled.told.add(id)
    },
    async 'decide about a review'() {
      const isArchive = random.chance(0.3)
      const url = `${apiRoutes.review}?archive=${isArchive}`
      const entry = random.pick((await call<ReviewEntry[]>('GET', url)) ?? [])
      if (!entry || (!isArchive && !entry.canDismiss)) return
      if (!isArchive) history.dismissed.add(entry.id)
      const decision = isArchive ? apiRoutes.reviewRestore : apiRoutes.reviewDismiss
      const note = isArchive ? {} : { note: 'Settled by phone' }
      await call('POST', pathOf(decision, { id: entry.id }), { version: entry.version, ...note })
    },
    'change what delivery costs': () => owner.changeDelivery(),
  }
  const running = Object.entries(events).map(([kind, act]) =>
    repeatUntilStopped(
      (signal) => {
        const rangeMs = kind === 'change what delivery costs' ? deliveryChangesMs : ownerEventsMs
        return rhythm.wait(random, rangeMs, visitorsPerOwnerEvent, signal)
      },
      // The database may be down; the next event comes soon.
      () => act().catch(() => undefined),
    ),
  )
  return { stop: () => Promise.all(running.map((one) => one.stop())) }
}
