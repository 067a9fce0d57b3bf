import { openJournal } from './journal.ts'
import type { Checkout, Delivery, Transaction } from './records.ts'

type Entry = { checkout: Checkout } | { delivery: Delivery } | { delivered: string }

export type Ledger = {
  maybeCheckout(id: string): Checkout | undefined
  maybeCheckoutByReference(reference: string): Checkout | undefined
  isReferenceTaken(reference: string): boolean
  /** By its id or its code. */
  maybeTransaction(idOrCode: string): { checkout: Checkout; transaction: Transaction } | undefined
  checkouts(): Checkout[]
  deliveries(): Delivery[]
  /** Replaces the checkout and adds its notifications, in one write. Money is written durably. */
  save(checkout: Checkout, options?: { deliveries?: Delivery[]; durable?: boolean }): void
  saveDelivery(delivery: Delivery): void
  dropDelivery(id: string): void
  /** From here on the file is ours. */
  begin(): void
  close(): void
}

/** All checkouts of the stand-in: in memory, and in a file that survives a kill when one is named. */
export function openLedger(file?: string): Ledger {
  const checkouts = new Map<string, Checkout>()
  const references = new Map<string, string>()
  const transactions = new Map<string, string>()
  const deliveries = new Map<string, Delivery>()

  function apply(entry: Entry): void {
    if ('delivered' in entry) deliveries.delete(entry.delivered)
    else if ('delivery' in entry) deliveries.set(entry.delivery.id, entry.delivery)
    else {
      const { checkout } = entry
      checkouts.set(checkout.id, checkout)
      for (const reference of [...checkout.formerReferences, checkout.reference])
        references.set(reference, checkout.id)
      for (const { id, code } of checkout.transactions) {
        transactions.set(id, checkout.id)
        transactions.set(code, checkout.id)
      }
    }
  }

  const snapshot = (): Entry[] => [
    ...[...checkouts.values()].map((checkout) => ({ checkout })),
    ...[...deliveries.values()].map((delivery) => ({ delivery })),
  ]
  const journal = file === undefined ? undefined : openJournal<Entry>(file, apply, snapshot)

  function record(entries: Entry[], durable: boolean): void {
    journal?.write(entries, { durable })
    for (const entry of entries) apply(entry)
  }

  return {
    maybeCheckout: (id) => checkouts.get(id.toLowerCase()),
    maybeCheckoutByReference(reference) {
      const checkout = checkouts.get(references.get(reference) ?? '')
      return checkout?.reference === reference ? checkout : undefined
    },
    isReferenceTaken: (reference) => references.has(reference),
    maybeTransaction(idOrCode) {
      const checkout = checkouts.get(transactions.get(idOrCode) ?? '')
      const transaction = checkout?.transactions.find(
        ({ id, code }) => id === idOrCode || code === idOrCode,
      )
      return checkout && transaction && { checkout, transaction }
    },
    checkouts: () => [...checkouts.values()],
    deliveries: () => [...deliveries.values()],
    save(checkout, { deliveries: added = [], durable = false } = {}) {
      record([{ checkout }, ...added.map((delivery) => ({ delivery }))], durable)
    },
    saveDelivery: (delivery) => record([{ delivery }], false),
    dropDelivery: (id) => record([{ delivered: id }], false),
    begin: () => journal?.begin(),
    close: () => journal?.close(),
  }
}
