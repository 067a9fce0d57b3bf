import { addCard, priceCents } from './sumup.ts'
import type { Rules } from './moves.ts'
import type { Bound } from './search.ts'
import { addSale, createWorld, day, details, hour, minute, second, type World } from './world.ts'

/** Small worlds: who is in them, and how often what may happen. */

const quiet: Rules = {
  ticksMs: [],
  cards: ['approve'],
  acts: [],
  appRefunds: [],
  chargebacks: [],
  allowsBareCards: false,
}

type Counts = Record<string, number>

/** The buyer has a form in each of these tabs. */
function withForm(left: Counts, tabs: string[]): World {
  const { world, id } = addSale(createWorld(left))
  return { ...world, tabs: Object.fromEntries(tabs.map((tab) => [tab, { saleId: id, phase: 'form' }])) }
}

/** The buyer paid from a form, and nobody has looked yet. */
function withPaid(left: Counts, { hasDetails, cards = 1 }: { hasDetails: boolean; cards?: number }): World {
  const world = withForm(left, ['a'])
  const kase = world.cases.s1
  if (!kase?.sale) throw new Error('there is a sale')
  const at = new Date(world.now)
  const given = { state: 'submitted', details, detailsAt: at, startedAt: at, formId: 'a', submits: 1, nextCheckAt: at }
  const sale = { ...kase.sale, ...(hasDetails && given) }
  let { sumup } = world
  for (let card = 0; card < cards; card += 1) sumup = addCard(sumup, 'c1', 'SUCCESSFUL', world.now)
  return { ...world, cases: { s1: { ...kase, sale } }, sumup, tabs: { a: { saleId: 's1', phase: 'sent' } } }
}

/** SumUp has a payment of a sale that is not here any more. */
function withLost(left: Counts): World {
  const world = withPaid(left, { hasDetails: true })
  return { ...world, cases: {}, tabs: {} }
}

const owners = { 'look 1': 1, 'look 2': 1 }
const half = 2000

const anyCard = ['approve', 'decline', 'bank'] as const
const anyAct = ['make-order', 'refund', 'dismiss', 'restore'] as const

export const bounds: Bound[] = [
  {
    name: 'card',
    about: 'one form, two cards, one odd answer, one crash',
    start: withForm({ details: 2, card: 2, order: 1, sweep: 1, odd: 1, crash: 1, tick: 1 }, ['a']),
    rules: { ...quiet, cards: anyCard, ticksMs: [16 * second] },
  },
  {
    name: 'bank',
    about: 'one card at the bank past the end of its form, start over, two odd answers',
    start: withForm({ details: 1, card: 1, status: 1, 'start-over': 1, sweep: 1, odd: 2, tick: 2 }, ['a']),
    rules: { ...quiet, cards: ['bank'], ticksMs: [16 * second, 30 * minute] },
  },
  {
    name: 'tabs',
    about: 'two tabs of one browser, two cards, start over, a new form, one odd answer',
    start: withForm({ details: 2, card: 2, 'start-over': 1, open: 1, odd: 1, tick: 1 }, ['a', 'b']),
    rules: { ...quiet, cards: ['approve', 'bank'], ticksMs: [21 * second] },
  },
  {
    name: 'unread',
    about: 'a payment or its checkout cannot be read any more',
    start: withForm({ details: 1, card: 1, sweep: 2, compare: 1, break: 1, heal: 1, tick: 2, 'look 1': 1 }, ['a']),
    rules: { ...quiet, cards: anyCard, acts: anyAct, ticksMs: [61 * second, 61 * minute] },
  },
  {
    name: 'refund',
    about: 'two owners with a payment in review, two odd answers, one crash',
    start: withPaid({ ...owners, sweep: 0, webhook: 1, odd: 1, crash: 1, follow: 1 }, { hasDetails: false }),
    rules: { ...quiet, acts: anyAct },
  },
  {
    name: 'details',
    about: 'paid without details: the buyer brings them while the owner decides',
    start: withPaid({ 'look 1': 1, webhook: 1, order: 1, details: 1, odd: 1, crash: 1 }, { hasDetails: false }),
    rules: { ...quiet, acts: anyAct, allowsBareCards: true },
  },
  {
    name: 'lost',
    about: 'a payment whose sale is lost: two comparisons, an owner, refunds in the app',
    start: withLost({ compare: 2, 'look 1': 1, app: 1, odd: 1, crash: 1, tick: 1 }),
    rules: { ...quiet, acts: anyAct, appRefunds: [half, priceCents], ticksMs: [61 * second] },
  },
  {
    name: 'returned',
    about: 'refunds in the app and chargebacks before and after the order',
    start: withPaid({ sweep: 1, compare: 1, app: 2, odd: 1, crash: 1, tick: 2, order: 1 }, { hasDetails: true }),
    rules: { ...quiet, appRefunds: [half, priceCents], chargebacks: [half], ticksMs: [61 * second] },
  },
  {
    name: 'twice',
    about: 'charged twice: order, review, refunds here and in the app',
    start: withPaid({ sweep: 1, compare: 1, 'look 1': 1, app: 1, odd: 1, tick: 1 }, { hasDetails: true, cards: 2 }),
    rules: { ...quiet, acts: anyAct, appRefunds: [priceCents], ticksMs: [61 * second] },
  },
]
export const largeBounds: Bound[] = []
void hour
void day
