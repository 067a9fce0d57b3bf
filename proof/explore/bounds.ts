import type { Country } from '#contract/countries.ts'
import { decideOpened } from '#server/payments/flow.ts'
import { addCard, priceCents } from './sumup.ts'
import { runHonestly } from './closure.ts'
import type { Rules } from './moves.ts'
import type { Bound } from './search.ts'
import { details } from './shop.ts'
import { addCheckout, addSale, createWorld, minute, second, type Tab, type World } from './world.ts'

/** Small worlds: who is in them, and how often what may happen. */

const quiet: Rules = {
  ticksMs: [],
  cards: ['approve'],
  acts: [],
  appRefunds: [],
  chargebacks: [],
  cancels: false,
  faults: ['unreachable'],
  allowsBareCards: false,
}

type Counts = Record<string, number>

/** The buyer has a form in each of these tabs. */
function withForm(left: Counts, tabs: string[], country?: Country): World {
  const empty = createWorld(left)
  const { world, loaded } = addSale(empty, empty.merchantCode, country)
  const { sale } = loaded.record
  const sumup = addCheckout(world.sumup, sale)
  const { after } = decideOpened(loaded.record, sumup.checkouts[0]?.id ?? '')
  const { id } = sale
  return {
    ...world,
    sumup,
    records: { [id]: after },
    tabs: Object.fromEntries(
      tabs.map((tab) => [tab, { saleId: id, phase: 'form', ...(country && { country }) }]),
    ),
  }
}

/** What delivery costs depends on the country: one tab has a form for one of them, another tab shows another one. */
function withCountries(left: Counts): World {
  const world = withForm(left, ['a'], 'Germany')
  const other: Tab = { saleId: null, phase: 'away', country: 'France' }
  return { ...world, tabs: { ...world.tabs, b: other } }
}

/** The buyer paid from a form, and nobody has looked yet. */
function withPaid(
  left: Counts,
  { hasDetails, cards = 1 }: { hasDetails: boolean; cards?: number },
): World {
  const world = withForm(left, ['a'])
  const record = world.records.s1
  if (!record?.sale) throw new Error('there is a sale')
  const at = new Date(world.now)
  const given = {
    state: 'submitted',
    details,
    detailsAt: at,
    startedAt: at,
    formId: 'a',
    submits: 1,
    nextCheckAt: at,
  }
  const sale = { ...record.sale, ...(hasDetails && given) }
  let { sumup } = world
  for (let card = 0; card < cards; card += 1) sumup = addCard(sumup, 'c1', 'SUCCESSFUL', world.now)
  return {
    ...world,
    records: { s1: { ...record, sale } },
    sumup,
    tabs: { a: { saleId: 's1', phase: 'sent' } },
  }
}

/** One tab has saved its details a while ago and is about to send its card; another one has the form too. */
function withSecondTab(left: Counts): World {
  const world = withPaid(left, { hasDetails: true, cards: 0 })
  return {
    ...world,
    now: world.now + 21 * second,
    tabs: { a: { saleId: 's1', phase: 'ready' }, b: { saleId: 's1', phase: 'form' } },
  }
}

/** Paid without details, and the shop has noticed. */
function withReview(left: Counts): World {
  const { world } = runHonestly(withPaid({}, { hasDetails: false }), {
    kind: 'webhook',
    saleId: 's1',
  })
  return { ...world, left }
}

/** Paid twice: the shop made an order of the first payment, and an owner is asked about the second. */
function withOrder(left: Counts): World {
  const paid = withPaid({}, { hasDetails: true, cards: 2 })
  const { world } = runHonestly(paid, { kind: 'sweep', saleId: 's1' })
  return { ...world, left }
}

/** Paid and ordered. */
function withSold(left: Counts): World {
  const paid = withPaid({}, { hasDetails: true })
  const { world } = runHonestly(paid, { kind: 'sweep', saleId: 's1' })
  return { ...world, left }
}

/** SumUp has a payment of a sale that is not here any more. */
function withLost(left: Counts): World {
  const world = withPaid(left, { hasDetails: true })
  return { ...world, records: {}, tabs: {} }
}

/** The buyer has no form yet. */
function withoutForm(left: Counts): World {
  return { ...createWorld(left), tabs: { a: { saleId: null, phase: 'away' } } }
}

/** The buyer has bought and seen the order, and has another form. */
function withSecondForm(left: Counts): World {
  const paid = withPaid({}, { hasDetails: true })
  const { world } = runHonestly(paid, { kind: 'sweep', saleId: 's1' })
  const first = world.records.s1
  if (!first?.sale) throw new Error('there is a sale')
  const seen = { ...first, sale: { ...first.sale, thankedAt: new Date(world.now) } }
  const { world: added, loaded } = addSale({ ...world, records: { s1: seen } })
  const sumup = addCheckout(added.sumup, loaded.record.sale)
  const { after } = decideOpened(loaded.record, sumup.checkouts[1]?.id ?? '')
  return {
    ...added,
    sumup,
    records: { s1: seen, s2: after },
    tabs: { a: { saleId: 's2', phase: 'form' } },
    left,
  }
}

const half = 2000
const anyCard = ['approve', 'decline', 'bank'] as const
const anyAct = ['make-order', 'refund', 'dismiss', 'restore'] as const

/** The same world in three sizes: how often what may happen. Larger ones allow all that smaller ones do, and more. */
type Family = {
  name: string
  about: string
  rules: Partial<Rules>
  create: (left: Counts) => World
  small: Counts
  medium: Counts
  large: Counts
}

const families: Family[] = [
  {
    name: 'card',
    about: 'one form, two cards',
    rules: { cards: anyCard, ticksMs: [16 * second] },
    create: (left) => withForm(left, ['a']),
    small: { details: 2, card: 2, order: 1, odd: 1, tick: 1 },
    medium: { sweep: 1, crash: 1 },
    large: { odd: 2, webhook: 1 },
  },
  {
    name: 'bank',
    about: 'a card at the bank past the end of its form, start over',
    rules: { cards: ['bank'], ticksMs: [16 * second, 30 * minute] },
    create: (left) => withForm(left, ['a']),
    small: { details: 1, card: 1, status: 1, 'start-over': 1, odd: 1, tick: 1 },
    medium: { odd: 2 },
    large: { tick: 2, sweep: 1, crash: 1 },
  },
  {
    name: 'elsewhere',
    about: 'a payment on another page, which may be cancelled, and a way back to a new form',
    rules: { cards: ['bank'], cancels: true, ticksMs: [16 * second] },
    create: (left) => withForm(left, ['a']),
    small: { details: 2, card: 2, back: 1, open: 1 },
    medium: { 'start-over': 1, tick: 1, odd: 1 },
    large: { status: 1, sweep: 1, crash: 1, back: 2, open: 2 },
  },
  {
    name: 'tabs',
    about: 'two tabs of one browser, two cards, start over, a new form',
    rules: { cards: ['approve', 'bank'], ticksMs: [21 * second] },
    create: (left) => withForm(left, ['a', 'b']),
    small: { details: 2, card: 2, 'start-over': 1 },
    medium: { open: 1, tick: 1 },
    large: { odd: 1, card: 3, details: 3 },
  },
  {
    name: 'frozen',
    about: 'a second tab sends details while the card of the first goes to the bank',
    rules: { cards: ['bank'], ticksMs: [21 * second] },
    create: (left) => withForm(left, ['a', 'b']),
    small: { details: 2, card: 1, tick: 1 },
    medium: { odd: 1, webhook: 1 },
    large: { card: 2, crash: 1 },
  },
  {
    name: 'behind',
    about: 'a second tab sends details just when the late card of the first goes to the bank',
    rules: { cards: ['bank'], ticksMs: [21 * second] },
    create: withSecondTab,
    small: { details: 1, card: 1, sweep: 1 },
    medium: { webhook: 1 },
    large: { details: 2, odd: 1, crash: 1 },
  },
  {
    name: 'unread',
    about: 'a payment or its checkout cannot be read for long',
    rules: { cards: anyCard, acts: anyAct, ticksMs: [61 * second, 61 * minute] },
    create: (left) => withForm(left, ['a']),
    small: { details: 1, card: 1, sweep: 1, break: 1, tick: 1 },
    medium: { sweep: 2, heal: 1, tick: 2, 'look 1': 1 },
    large: { compare: 1, crash: 1 },
  },
  {
    name: 'refund',
    about: 'two owners with a payment in review',
    rules: { acts: anyAct, ticksMs: [61 * minute] },
    create: withReview,
    small: { 'look 1': 1, 'look 2': 1 },
    medium: { odd: 1, crash: 1 },
    large: { odd: 2, webhook: 1, follow: 1, 'look 1': 2, tick: 1 },
  },
  {
    name: 'details',
    about: 'paid without details: the buyer brings them while the owner decides',
    rules: { acts: anyAct, allowsBareCards: true },
    create: withReview,
    small: { 'look 1': 1, order: 1 },
    medium: { odd: 1, crash: 1 },
    large: { details: 1, webhook: 1, follow: 1 },
  },
  {
    name: 'lost',
    about: 'a payment whose sale is lost: the comparison, an owner, refunds in the app',
    rules: { acts: anyAct, appRefunds: [half, priceCents], ticksMs: [61 * second] },
    create: withLost,
    small: { compare: 1, 'look 1': 1, app: 1, tick: 1 },
    medium: { odd: 1, crash: 1 },
    large: { compare: 2, 'look 2': 1 },
  },
  {
    name: 'returned',
    about: 'refunds in the app and chargebacks before and after the order',
    rules: { appRefunds: [half, priceCents], chargebacks: [half], ticksMs: [61 * second] },
    create: (left) => withPaid(left, { hasDetails: true }),
    small: { sweep: 1, compare: 1, app: 1, tick: 1 },
    medium: { app: 2, tick: 2, odd: 1 },
    large: { order: 1, crash: 1 },
  },
  {
    name: 'twice',
    about: 'charged twice: an order, a review, refunds here and in the app',
    rules: { acts: ['refund', 'dismiss'], appRefunds: [priceCents], ticksMs: [61 * second] },
    create: (left) => withPaid(left, { hasDetails: true, cards: 2 }),
    small: { sweep: 1, 'look 1': 1, app: 1, tick: 1 },
    medium: { odd: 1 },
    large: { compare: 1 },
  },
  {
    name: 'moved',
    about: 'charged twice, ordered, and the comparison sees what went back in the app',
    rules: { acts: ['refund', 'dismiss'], appRefunds: [priceCents], ticksMs: [61 * second] },
    create: withOrder,
    small: { 'look 1': 1, app: 1, tick: 1 },
    medium: { compare: 1 },
    large: { odd: 1, crash: 1 },
  },
  {
    name: 'sold',
    about: 'two owners refund an order, all of it or a part',
    rules: { acts: ['refund-order', 'refund-part'], ticksMs: [61 * minute] },
    create: withSold,
    small: { 'look 1': 1, 'look 2': 1 },
    medium: { odd: 1 },
    large: { 'look 1': 2, crash: 1, follow: 1, tick: 1 },
  },
  {
    name: 'resold',
    about: 'an order that was paid twice is refunded, beside the review and the app',
    rules: {
      acts: ['refund-order', 'refund', 'dismiss'],
      appRefunds: [priceCents],
      ticksMs: [61 * second],
    },
    create: withOrder,
    small: { 'look 1': 1, app: 1, tick: 1 },
    medium: { compare: 1 },
    large: { 'look 2': 1, odd: 1 },
  },
  {
    name: 'opening',
    about: 'a form whose opening fails half-way',
    rules: { ticksMs: [31 * second] },
    create: withoutForm,
    small: { open: 2, details: 1, card: 1, odd: 1, crash: 1, sweep: 1, tick: 1 },
    medium: { odd: 2, status: 1 },
    large: { 'start-over': 1, compare: 1 },
  },
  {
    name: 'account',
    about: 'the shop changes its SumUp account while a form is used',
    rules: { cards: ['approve', 'bank'], acts: anyAct, ticksMs: [21 * second] },
    create: (left) => withForm(left, ['a']),
    small: { details: 1, card: 1, account: 1, sweep: 1, 'look 1': 1 },
    medium: { account: 2, 'start-over': 1 },
    large: { open: 1, details: 2, compare: 1, crash: 1, tick: 1 },
  },
  {
    name: 'amount',
    about: 'a card is charged another amount than the sale’s',
    rules: { cards: ['approve', 'approve other amount'], acts: anyAct },
    create: (left) => withForm(left, ['a']),
    small: { details: 1, card: 1, order: 1, 'look 1': 1 },
    medium: { odd: 1, compare: 1 },
    large: { 'look 1': 2, crash: 1, app: 1 },
  },
  {
    name: 'prices',
    about: 'two tabs show what other countries cost, and change them',
    rules: { ticksMs: [21 * second] },
    create: withCountries,
    small: { open: 1, country: 1, details: 2, card: 1 },
    medium: { open: 2, card: 2 },
    large: { open: 3, country: 2, order: 1, crash: 1, odd: 1 },
  },
  {
    name: 'reused',
    about: 'SumUp names the payment of another sale',
    rules: { acts: anyAct },
    create: withSecondForm,
    small: { details: 1, card: 1, echo: 1, order: 1, 'look 1': 1 },
    medium: { sweep: 1, compare: 1 },
    large: { odd: 1, crash: 1 },
  },
  {
    name: 'gone',
    about: 'SumUp does not find a sale or payment (404), or does not show it (403)',
    rules: {
      cards: ['approve', 'bank'],
      acts: anyAct,
      faults: ['missing', 'forbidden'],
      ticksMs: [61 * second],
    },
    create: (left) => withForm(left, ['a']),
    small: { details: 1, card: 1, sweep: 1, break: 1, tick: 1, 'look 1': 1 },
    medium: { heal: 1, order: 1 },
    large: { compare: 1, app: 1, crash: 1 },
  },
]

function createBounds(suffix: string, choose: (family: Family) => Counts): Bound[] {
  return families.map((family) => {
    const left = choose(family)
    const counts = Object.entries(left).map(([name, count]) => `${count} ${name}`)
    return {
      name: `${family.name}${suffix}`,
      about: `${family.about} (${counts.join(', ')})`,
      start: family.create(left),
      rules: { ...quiet, ...family.rules },
    }
  })
}

/** Part of `npm test`, but for the largest of them, which are among the long tests. */
export const smallBounds = createBounds('', ({ small }) => small)
export const largestSmallBounds = ['card', 'bank', 'tabs', 'sold']
export const mediumBounds = createBounds('+', ({ small, medium }) => ({ ...small, ...medium }))
/** Minutes to hours. */
export const largeBounds = createBounds('++', ({ small, medium, large }) => ({
  ...small,
  ...medium,
  ...large,
}))
/** One sale, two forms, three cards, two refunds, one crash: too many worlds to visit all of them in this time. */
const example: Bound = {
  name: 'example',
  about: 'one sale, two forms, three cards, two refunds, one crash',
  start: withForm({ details: 3, card: 3, sweep: 1, 'look 1': 1, 'look 2': 1, crash: 1 }, [
    'a',
    'b',
  ]),
  rules: { ...quiet, cards: anyCard, acts: ['refund'] },
  maxSeconds: 600,
}

export const allBounds = [...smallBounds, ...mediumBounds, ...largeBounds, example]
