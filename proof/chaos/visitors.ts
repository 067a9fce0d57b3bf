import type { Country } from '#contract/countries.ts'
import { toPickupAddress } from '#contract/pickup.ts'
import type { PickupPlace } from '#contract/quotes.ts'
import { createRandom } from '#tools/random.ts'

/** Parcels go to these. */
export const countries = ['Belgium', 'France', 'Germany', 'Italy', 'Netherlands'] as const

/** Discount codes: one without a limit, and one that few can use. */
export const openCode = 'TENTH'
export const scarceCode = 'SCARCE'

/** When a tab is closed: during a call (-ing) or after it. */
const tabMoments = [
  'opening',
  'opened',
  'saving',
  'saved',
  'paying',
  'paid',
  'ordering',
  'ordered',
] as const
export type TabMoment = (typeof tabMoments)[number]

/** What buyers do when their bank asks them to confirm the payment. */
const bankBehaviors = [
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
type BankBehavior = (typeof bankBehaviors)[number]

/** What buyers do who pay in another way than by card: with a wallet in the page, or on a page elsewhere. */
export const otherWays = [
  'pays elsewhere',
  'pays with a wallet',
  'cancels elsewhere',
  'is elsewhere, then it is paid',
  'pays elsewhere and never returns',
  'fails elsewhere',
  'is declined in a wallet',
  'is elsewhere, then it fails',
  'comes back and starts over',
  'never finishes elsewhere',
] as const
export type OtherWay = (typeof otherWays)[number]

/** What visitors try who do not want to pay. */
export const attackKinds = [
  'foreign',
  'cheap',
  'unpaid',
  'replay',
  'forged',
  'misstated',
  'card-testing',
] as const
export type Attack = (typeof attackKinds)[number]

/** How buyers withdraw from what they have bought. */
const withdrawalKinds = ['with the link', 'by number', 'with a wrong number'] as const
export type WithdrawalKind = (typeof withdrawalKinds)[number]

export type Visitor = {
  number: number
  seed: number
  /** Different for each visitor, because of rate limits. */
  ip: string
  closesTabAt: TabMoment | undefined
  /** Comes back in the same browser after closing the tab, to buy. */
  returns: boolean
  bank: BankBehavior | undefined
  /** Only done if the page offers other ways to pay. */
  otherWay: OtherWay | undefined
  doubleClicks: boolean
  /** Tries a declined card before the good one. */
  firstCardFails: boolean
  attack: Attack | undefined
  withdraws: WithdrawalKind | undefined
  /** In the link that they came by. */
  code: string | undefined
}

const shares = {
  closesTab: 0.3,
  returns: 0.6,
  bank: 0.25,
  doubleClicks: 0.2,
  firstCardFails: 0.1,
  attack: 0.11,
  withdraws: 0.5,
  otherWay: 0.3,
  openCode: 0.4,
  scarceCode: 0.3,
}

/** Shares are met exactly and kinds alternate, so that a hundred visitors already cover all of them. */
export function planVisitors(count: number, seed: number): Visitor[] {
  const random = createRandom(seed)
  const numbers = Array.from({ length: count }, (_, number) => number)
  const assign = <Kind>(share: number, kinds: readonly Kind[]): Map<number, Kind> => {
    const chosen = random.shuffle(numbers).slice(0, Math.round(count * share))
    return new Map(
      chosen.flatMap((number, index) => {
        const kind = kinds[index % kinds.length]
        return kind === undefined ? [] : [[number, kind] as const]
      }),
    )
  }
  const closed = assign(shares.closesTab, tabMoments)
  const doubled = assign(shares.doubleClicks, [true])
  const failed = assign(shares.firstCardFails, [true])
  const attacked = assign(shares.attack, attackKinds)
  const askedByBank = assign(shares.bank, bankBehaviors)
  const returned = assign(shares.returns, [true])
  const withdrawn = assign(shares.withdraws, withdrawalKinds)
  const otherwise = assign(shares.otherWay, otherWays)
  const discounted = assign(shares.openCode, [openCode])
  const scarce = assign(shares.scarceCode, [scarceCode])
  return numbers.map((number) => ({
    number,
    seed: Math.imul(seed + 1, 7919) + number,
    ip: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    closesTabAt: attacked.has(number) ? undefined : closed.get(number),
    returns: returned.has(number),
    bank: attacked.has(number) ? undefined : askedByBank.get(number),
    otherWay: attacked.has(number) ? undefined : otherwise.get(number),
    doubleClicks: doubled.has(number),
    firstCardFails: failed.has(number),
    attack: attacked.get(number),
    withdraws: withdrawn.get(number),
    // A bank that answers after the form has ended makes an order beyond the limit, as it must.
    code: (askedByBank.has(number) ? undefined : scarce.get(number)) ?? discounted.get(number),
  }))
}

/** The same all the time: a page sends the place that it shows. */
export const pickupPlace: PickupPlace = {
  name: 'The shop',
  address: 'Markt 1',
  postcode: '10178',
  city: 'Berlin',
  state: null,
  country: 'Germany',
  hours: null,
}

/** What the buyer chooses: a country or to pick it up, and a value where the product has some. */
type Wishes = {
  country?: Country | undefined
  isPickup?: boolean | undefined
  choice?: string | undefined
}

/** Contact and delivery details that identify the visitor. */
export function getDetails(
  { number }: Visitor,
  { country = 'Germany', isPickup, choice }: Wishes = {},
) {
  const name = { firstName: 'Visitor', lastName: String(number) }
  const ownAddress = { ...name, address: `Weg ${number}`, city: 'Berlin', postcode: '10115' }
  return {
    ...(choice && { choice }),
    ...(isPickup && { isPickup }),
    customerEmail: `visitor-${number}@example.com`,
    customerName: `Visitor ${number}`,
    shippingAddress: isPickup ? toPickupAddress(pickupPlace, name) : { country, ...ownAddress },
  }
}

/** Buys without detours. */
export function createPlainVisitor(number: number): Visitor {
  return {
    number,
    seed: number,
    ip: `10.0.${number >> 8}.${number & 255}`,
    closesTabAt: undefined,
    returns: false,
    bank: undefined,
    otherWay: undefined,
    doubleClicks: false,
    firstCardFails: false,
    attack: undefined,
    withdraws: undefined,
    code: undefined,
  }
}
