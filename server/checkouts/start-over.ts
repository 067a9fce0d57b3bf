import { Refusal } from '#contract/refusals.ts'
import { ProviderUnavailable } from '#server/sumup/circuit-breaker.ts'
import type { ReadCheckout } from './ledger.ts'
import { findCheckout } from './ledger.ts'
import { bringEvent, type CheckoutDeps, type Settled } from './settle.ts'
import type { CheckoutRow } from './decision.ts'

type StartOverDeps = CheckoutDeps & { settleShared: (read: ReadCheckout) => Promise<Settled> }

/**
 * A buyer gives up on a card that may be at the bank. SumUp is told to end the checkout, and only when it confirms that
 * nothing can be charged any more is there another form.
 */
export async function startOver(deps: StartOverDeps, read: ReadCheckout): Promise<void> {
  const settled = await deps.settleShared(read)
  requireUnpaid(settled)
  if (settled.status.state === 'waiting' && settled.status.reason === 'unreachable')
    throw new Refusal('payments-away', { retryAfter: 5 })
  await endEarlier(deps, settled.row)
}

/** Ends a sale whose form is not used any more. Refuses where SumUp does not let go of it. */
export async function endEarlier(deps: StartOverDeps, row: CheckoutRow): Promise<undefined> {
  if (row.state === 'closed' || !row.sumupCheckoutId) return undefined
  const ending = await deactivate(deps, row.sumupCheckoutId)
  const read = await findCheckout(deps.db, row.id)
  if (!read) throw new Refusal('payment-missing')
  if (ending === 'ended') {
    await bringEvent(deps, read, { type: 'ended' })
    return undefined
  }
  if (ending === 'paid') requireUnpaid(await deps.settleShared(read))
  throw new Refusal('card-at-bank', { facts: { checkoutId: row.sumupCheckoutId } })
}

async function deactivate({ sumup }: StartOverDeps, sumupCheckoutId: string) {
  try {
    return await sumup.deactivate(sumupCheckoutId)
  } catch (cause) {
    // Without SumUp there is no other form to give anyway.
    throw cause instanceof ProviderUnavailable
      ? new Refusal('payments-away', { cause, retryAfter: 5 })
      : cause
  }
}

function requireUnpaid({ status, row }: Settled): void {
  if (status.state === 'paid')
    throw new Refusal('already-paid', { facts: { orderId: status.orderId } })
  if (status.state === 'review')
    throw new Refusal('payment-in-review', {
      facts: { reason: status.reason, checkoutId: row.sumupCheckoutId ?? '' },
    })
}
