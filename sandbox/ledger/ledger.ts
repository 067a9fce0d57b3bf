import { openJournal } from './journal.ts'
import type { Checkout, Delivery, Transaction } from './records.ts'

type Entry = { checkout: Checkout } | { delivery: Delivery } | { delivered: string }

export type Ledger = {
  maybeCheckout(id: string): Checkout | undefined
  /** At most one of each merchant. */
  checkoutsByReference(reference: string): Checkout[]
  /** Once used, for ever: SumUp gives a reference of a merchant out only once. */
  isReferenceTaken(merchantCode: string, reference: string): boolean
  /** By its id or its code. */
  maybeTransaction(idOrCode: string): { checkout: Checkout; transaction: Transaction } | undefined
  checkouts(): Checkout[]
  deliveries(): Delivery[]
  /** Replaces the checkout and adds its notifications, in one write. Money is written durably. */
  save(checkout: Checkout, options?: { deliveries?: Delivery[]; durable?: boolean }): void
  saveAll(checkouts: Checkout[]): void
  saveDelivery(delivery: Delivery): void
  dropDelivery(id: string): void
  /** From here on the file is ours. */
  begin(): void
  close(): void
}

/** All checkouts of the stand-in: in memory, and in a file that survives a kill when one is named. */
export function openLedger(file?: string): Ledger {
  const checkouts = new Map<string, Checkout>()
  /** Checkout ids by merchant, by reference. */
  const references = new Map<string, Map<string, string>>()
  const transactions = new Map<string, string>()
  const deliveries = new Map<string, Delivery>()

  function apply(entry: Entry): void {
    if ('delivered' in entry) deliveries.delete(entry.delivered)
    else if ('delivery' in entry) deliveries.set(entry.delivery.id, entry.delivery)
    else {
      const { checkout } = entry
      checkouts.set(checkout.id, checkout)
      for (const reference of [...checkout.formerReferences, checkout.reference])
        keepReference(reference, checkout)
      for (const { id, code } of checkout.transactions) {
        transactions.set(id, checkout.id)
        transactions.set(code, checkout.id)
      }
    }
  }

  function keepReference(reference: string, { id, merchantCode }: Checkout): void {
    const ids = references.get(reference) ?? new Map<string, string>()
    references.set(reference, ids.set(merchantCode, id))
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
    checkoutsByReference(reference) {
      const ids = [...(references.get(reference)?.values() ?? [])]
      const found = ids.map((id) => checkouts.get(id)).filter((checkout) => checkout !== undefined)
      return found.filter((checkout) => checkout.reference === reference)
    },
    isReferenceTaken: (merchantCode, reference) =>
      references.get(reference)?.has(merchantCode) ?? false,
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
    saveAll(several) {
      record(
        several.map((checkout) => ({ checkout })),
        false,
      )
    },
    saveDelivery: (delivery) => record([{ delivery }], false),
    dropDelivery: (id) => record([{ delivered: id }], false),
    begin: () => journal?.begin(),
    close: () => journal?.close(),
  }
}
