import { toCents, formatCents } from '#contract/money.ts'
import { defaultMethods, otherMethodIds } from '#contract/payment-methods.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { ShopSettings } from '#contract/shop-settings.ts'
import type { OrderRefunds, RefundOutcome } from '#contract/refunds.ts'
import { addAdmin } from '#server/admin/admins.ts'
import { shellActor } from '#server/http/audit.ts'
import type { Random } from '#tools/random.ts'
import { createSecret, type Environment } from './environment.ts'

/** What an owner was told about a refund. */
export type ToldRefund = { orderId: string; outcome: RefundOutcome }

export type Owner = {
  servers: Environment['servers']
  headers: Record<string, string>
  password: string
  random: Random
  told: ToldRefund[]
  counts: { asked: number; unanswered: number }
}

/** An owner who works in the back-office over HTTP, on whichever server is up. */
export async function signIn(
  { db, servers }: Environment,
  random: Random,
  told: ToldRefund[] = [],
): Promise<Owner> {
  const admin = { username: 'refunder', email: 'refunder@example.com', password: createSecret() }
  await addAdmin(db, admin, shellActor)
  const { username, password } = admin
  const answer = await fetch(`${servers[0]?.address}${apiRoutes.adminLogin}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  if (!answer.ok) throw new Error(`login: ${answer.status} ${await answer.text()}`)
  const cookie = answer.headers.getSetCookie().map((text) => text.split(';')[0])
  const headers = { cookie: cookie.join('; '), 'content-type': 'application/json' }
  return { servers, headers, password, random, told, counts: { asked: 0, unanswered: 0 } }
}

/** Switches on every way to pay beside the card. */
export async function offerOtherWays({ servers, headers, password }: Owner): Promise<void> {
  const address = servers[0]?.address
  const { version } = (await (
    await fetch(`${address}${apiRoutes.settings}`, { headers })
  ).json()) as ShopSettings
  const values = { ...defaultMethods, otherMethods: otherMethodIds }
  const url = `${address}${pathOf(apiRoutes.settingsSection, { section: 'methods' })}`
  const body = JSON.stringify({ version, values, password })
  const saved = await fetch(url, { method: 'PUT', headers, body })
  if (!saved.ok) throw new Error(`settings: ${saved.status} ${await saved.text()}`)
}

/** Undefined if the call was refused, or nobody answered. */
export async function callAsOwner<Answer>(
  { servers, headers, random, counts }: Owner,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Answer | undefined> {
  const ready = servers.filter((one) => one.isReady())
  const server = random.pick(ready.length > 0 ? ready : servers)
  try {
    const answer = await fetch(`${server?.address}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return answer.ok ? (JSON.parse(text || '{}') as Answer) : undefined
  } catch {
    counts.unanswered += 1
    return undefined
  }
}

/** Looks at an order, then refunds as much as `choose` says. */
export async function refundAsOwner(
  owner: Owner,
  orderId: string,
  choose: (shown: OrderRefunds) => number,
): Promise<void> {
  const path = pathOf(apiRoutes.orderRefunds, { id: orderId })
  const shown = await callAsOwner<OrderRefunds>(owner, 'GET', path)
  if (!shown || shown.blockedBy !== null) return
  const cents = Math.min(choose(shown), toCents(shown.left))
  if (cents <= 0) return
  const needsPassword = cents > toCents(shown.freeAmount)
  const body = {
    version: shown.version,
    amount: formatCents(cents),
    ...(needsPassword && { password: owner.password }),
  }
  // Now and then a double click, or a second admin, on the other server.
  const times = owner.random.integer(1, 4) === 1 ? 2 : 1
  await Promise.all(
    Array.from({ length: times }, async () => {
      owner.counts.asked += 1
      const refund = pathOf(apiRoutes.orderRefund, { id: orderId })
      const outcome = await callAsOwner<RefundOutcome>(owner, 'POST', refund, body)
      if (outcome) owner.told.push({ orderId, outcome })
    }),
  )
}
