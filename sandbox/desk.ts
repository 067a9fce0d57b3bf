import type { Faults } from './faults/faults.ts'
import { ageCheckout } from './ledger/expiry.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Checkout, Currency } from './ledger/records.ts'
import { isUuid } from './ledger/ids.ts'
import { checkoutNotFound, invalidCheckoutId } from './refusals.ts'
import type { Webhooks } from './webhooks.ts'

export type MerchantAccount = {
  code: string
  currency: Currency
  country: string
  sandbox: boolean
}

export type Log = (event: string, fields?: Record<string, unknown>) => void

/** All that a call needs. */
export type Desk = {
  ledger: Ledger
  faults: Faults
  webhooks: Webhooks
  merchant: MerchantAccount
  apiKey: string
  /** How a browser reaches the stand-in; known for certain once it listens. */
  publicUrl: string
  closing: AbortSignal
  log: Log
}

/** The checkout as it is now: time may have expired it, or brought the bank's late answer. */
export function findCheckout(desk: Desk, id: string): Checkout {
  if (!isUuid(id)) throw invalidCheckoutId(id)
  const known = desk.ledger.maybeCheckout(id)
  if (known === undefined) throw checkoutNotFound(id)
  return refreshCheckout(desk, known)
}

export function refreshCheckout(desk: Desk, known: Checkout): Checkout {
  const aged = ageCheckout(known, Date.now())
  if (aged === known) return known
  if (aged.status === 'PAID') void recordOutcome(desk, aged)
  else desk.ledger.save(aged)
  return aged
}

/** The end of an attempt: kept and announced in one write, money durably. */
export async function recordOutcome(desk: Desk, ended: Checkout): Promise<Checkout> {
  const subjects = [ended.id, ended.reference]
  const lag = ended.status === 'PAID' ? desk.faults.take('process', ['lag'], subjects) : undefined
  const checkout = lag ? { ...ended, paidVisibleAt: Date.now() + lag.ms } : ended
  const planned = desk.webhooks.plan(checkout)
  const deliveries = planned.map(({ delivery }) => delivery)
  desk.ledger.save(checkout, { deliveries, durable: checkout.status === 'PAID' })
  desk.log('outcome', { checkoutId: checkout.id, status: checkout.status })
  await desk.webhooks.dispatch(planned)
  return checkout
}
