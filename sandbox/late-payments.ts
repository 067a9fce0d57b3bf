import { refreshCheckout, type Desk } from './desk.ts'
import { maybeSettlesAt } from './ledger/expiry.ts'
import type { Checkout } from './ledger/records.ts'

/** Looks again when the bank has answered, so that the notification goes out without a reader. */
export function watchLatePayment(desk: Desk, checkout: Checkout): void {
  const settlesAt = maybeSettlesAt(checkout)
  if (settlesAt === undefined) return
  setTimeout(
    () => {
      if (desk.closing.aborted) return
      const known = desk.ledger.maybeCheckout(checkout.id)
      // A timer may fire a moment early: then it is set again.
      if (known) watchLatePayment(desk, refreshCheckout(desk, known))
    },
    Math.max(0, settlesAt - Date.now()),
  ).unref()
}
