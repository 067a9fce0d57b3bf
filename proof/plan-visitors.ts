import { chanceOf } from './chance.ts'

/** Where a tab is closed. The words in -ing close it while a call is under way. */
export const deaths = [
  'opening',
  'opened',
  'keeping',
  'kept',
  'paying',
  'paid',
  'ordering',
  'ordered',
] as const
export type Death = (typeof deaths)[number]

/** What somebody does whose bank asks them to confirm the payment. */
export const bankManners = [
  'approves',
  'declines',
  'reloads the page',
  'opens a second tab',
  'starts over',
  'leaves, the bank approves',
  'leaves, the bank declines',
  'is late, the bank approves',
  'is late, the bank declines',
] as const
export type BankManner = (typeof bankManners)[number]

/** What people try who do not come to buy. */
export const attacks = [
  'foreign',
  'cheap',
  'unpaid',
  'replay',
  'forged',
  'misstated',
  'card-testing',
] as const
export type Attack = (typeof attacks)[number]

export type Visitor = {
  number: number
  seed: number
  /** An address of their own, because limits count addresses. */
  ip: string
  dies: Death | undefined
  /** Comes back in the same browser after the tab was closed, and wants to buy. */
  returns: boolean
  bank: BankManner | undefined
  doubleClicks: boolean
  /** Tries a card that is declined before the good one. */
  firstCardFails: boolean
  attack: Attack | undefined
}

const dying = 0.3
const returning = 0.6
const askedByBank = 0.25
const doubleClicking = 0.2
const declined = 0.1
const attacking = 0.11

/** Shares are met exactly and every kind in turn, so that a hundred visitors bring all of it too. */
export function planVisitors(count: number, seed: number): Visitor[] {
  const chance = chanceOf(seed)
  const numbers = Array.from({ length: count }, (_, number) => number)
  const some = <Kind>(share: number, kinds: readonly Kind[]): Map<number, Kind> => {
    const chosen = chance.shuffle(numbers).slice(0, Math.round(count * share))
    return new Map(
      chosen.flatMap((number, turn) => {
        const kind = kinds[turn % kinds.length]
        return kind === undefined ? [] : [[number, kind] as const]
      }),
    )
  }
  const died = some(dying, deaths)
  const doubled = some(doubleClicking, [true])
  const failed = some(declined, [true])
  const attacked = some(attacking, attacks)
  const asked = some(askedByBank, bankManners)
  const returned = some(returning, [true])
  return numbers.map((number) => ({
    number,
    seed: Math.imul(seed + 1, 7919) + number,
    ip: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    dies: attacked.has(number) ? undefined : died.get(number),
    returns: returned.has(number),
    bank: attacked.has(number) ? undefined : asked.get(number),
    doubleClicks: doubled.has(number),
    firstCardFails: failed.has(number),
    attack: attacked.get(number),
  }))
}

/** Contact and delivery that tell one visitor from another. */
export function detailsOf({ number }: Visitor) {
  return {
    customerEmail: `visitor-${number}@example.com`,
    customerName: `Visitor ${number}`,
    shippingAddress: {
      country: 'Germany',
      firstName: 'Visitor',
      lastName: String(number),
      address: `Weg ${number}`,
      city: 'Berlin',
      postcode: '10115',
    },
  }
}
