import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  appendFileSync,
  mkdirSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Checkout, Delivery, Transaction } from './records.ts'

type Entry = { checkout: Checkout } | { delivery: Delivery } | { delivered: string }

export type Ledger = ReturnType<typeof openLedger>

/** Where anybody may open checkouts, the oldest are forgotten from here on. */
const maxCheckoutsKept = 20_000
/** A checkout without a payment is looked at no longer than this. */
const idleMs = 60 * 60 * 1000

/** All checkouts and pending webhooks: in memory, and in a file that survives a kill if one is given. */
export function openLedger(file?: string, maxCheckouts = maxCheckoutsKept) {
  const checkouts = new Map<string, Checkout>()
  /** Checkout ids by reference, then by merchant. */
  const references = new Map<string, Map<string, string>>()
  /** Checkout ids by transaction id and by transaction code. */
  const transactions = new Map<string, string>()
  const deliveries = new Map<string, Delivery>()

  function apply(entry: Entry): void {
    if ('delivered' in entry) deliveries.delete(entry.delivered)
    else if ('delivery' in entry) deliveries.set(entry.delivery.id, entry.delivery)
    else applyCheckout(entry.checkout)
  }

  function applyCheckout(checkout: Checkout): void {
    checkouts.set(checkout.id, checkout)
    for (const reference of [...checkout.formerReferences, checkout.reference]) {
      const ids = references.get(reference) ?? new Map<string, string>()
      references.set(reference, ids.set(checkout.merchantCode, checkout.id))
    }
    for (const { id, code } of checkout.transactions) {
      transactions.set(id, checkout.id)
      transactions.set(code, checkout.id)
    }
  }

  const snapshot = (): Entry[] => [
    ...[...checkouts.values()].map((checkout) => ({ checkout })),
    ...[...deliveries.values()].map((delivery) => ({ delivery })),
  ]
  const journal = file === undefined ? undefined : openJournal(file, apply, snapshot)

  function record(entries: Entry[], durable = false): void {
    journal?.write(entries, durable)
    for (const entry of entries) apply(entry)
    if (checkouts.size > maxCheckouts) forgetOldest()
    journal?.shorten(3 * maxCheckouts)
  }

  /** A tenth at once: those in which nobody began to pay go first. */
  function forgetOldest(): void {
    const isIdle = ({ transactions: made, createdAt }: Checkout) =>
      made.length === 0 && createdAt < Date.now() - idleMs
    const all = [...checkouts.values()]
    const chosen = [...all.filter(isIdle), ...all.filter((checkout) => !isIdle(checkout))]
    for (const checkout of chosen.slice(0, Math.ceil(maxCheckouts / 10))) forget(checkout)
  }

  function forget(checkout: Checkout): void {
    checkouts.delete(checkout.id)
    for (const reference of [...checkout.formerReferences, checkout.reference]) {
      const ids = references.get(reference)
      ids?.delete(checkout.merchantCode)
      if (ids?.size === 0) references.delete(reference)
    }
    for (const transaction of checkout.transactions) {
      transactions.delete(transaction.id)
      transactions.delete(transaction.code)
    }
  }

  return {
    findCheckout: (id: string): Checkout | undefined => checkouts.get(id.toLowerCase()),
    /** At most one per merchant. */
    listByReference(reference: string): Checkout[] {
      const ids = [...(references.get(reference)?.values() ?? [])]
      return ids
        .map((id) => checkouts.get(id))
        .filter((checkout) => checkout?.reference === reference)
        .filter((checkout) => checkout !== undefined)
    },
    /** Stays true as long as the checkout is known: SumUp accepts each reference of a merchant only once. */
    isReferenceTaken: (merchantCode: string, reference: string): boolean =>
      references.get(reference)?.has(merchantCode) ?? false,
    findTransaction(
      idOrCode: string,
    ): { checkout: Checkout; transaction: Transaction } | undefined {
      const checkout = checkouts.get(transactions.get(idOrCode) ?? '')
      const transaction = checkout?.transactions.find(
        ({ id, code }) => id === idOrCode || code === idOrCode,
      )
      return checkout && transaction && { checkout, transaction }
    },
    listCheckouts: () => [...checkouts.values()],
    listDeliveries: () => [...deliveries.values()],
    /** Saves the checkout with its new deliveries in one write. Durable writes survive a power cut. */
    save(checkout: Checkout, options: { deliveries?: Delivery[]; durable?: boolean } = {}): void {
      const added = (options.deliveries ?? []).map((delivery) => ({ delivery }))
      record([{ checkout }, ...added], options.durable)
    },
    saveAll: (several: Checkout[]) => record(several.map((checkout) => ({ checkout }))),
    saveDelivery: (delivery: Delivery) => record([{ delivery }]),
    deleteDelivery: (id: string) => record([{ delivered: id }]),
    /** Claims the file. Call it once the port is taken, so that a second process cannot write to it. */
    begin: () => journal?.begin(),
    close: () => journal?.close(),
  }
}

/**
 * A file of JSON lines that grows until it is replaced by a snapshot; opening it replays every line. Writes are
 * synchronous, so that no payment is reported before it is in the file.
 */
function openJournal(file: string, replay: (entry: Entry) => void, snapshot: () => Entry[]) {
  mkdirSync(dirname(file), { recursive: true })
  if (existsSync(file)) for (const entry of readEntries(file)) replay(entry)
  let handle: number | undefined
  let lines = 0
  let isClosed = false

  function begin(): number {
    if (isClosed) throw new Error('The sandbox is closing: no more writes')
    return (handle ??= replace())
  }

  /** Replaces the file by a snapshot, so that it does not grow forever. */
  function replace(): number {
    const fresh = `${file}.new`
    const entries = snapshot()
    writeFileSync(fresh, formatEntries(entries), { mode: 0o600, flush: true })
    renameSync(fresh, file)
    lines = entries.length
    return openSync(file, 'a')
  }

  return {
    begin,
    /** One append, so that a kill keeps all entries or none. */
    write(entries: Entry[], durable: boolean): void {
      const open = begin()
      appendFileSync(open, formatEntries(entries))
      if (durable) fsyncSync(open)
      lines += entries.length
    },
    /** Once it has more lines than this. */
    shorten(maxLines: number): void {
      if (handle === undefined || lines <= maxLines) return
      closeSync(handle)
      handle = replace()
    },
    close(): void {
      isClosed = true
      if (handle === undefined) return
      fsyncSync(handle)
      closeSync(handle)
      handle = undefined
    },
  }
}

function readEntries(file: string): Entry[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  // Whatever follows the last line break was cut off by a kill, before anyone was answered.
  lines.pop()
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Entry
    } catch (cause) {
      throw new Error(`${file}: line ${index + 1} is not readable`, { cause })
    }
  })
}

const formatEntries = (entries: Entry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
