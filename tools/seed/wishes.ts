import { parseArgs } from 'node:util'
import { CannotStart } from '#server/cannot-start.ts'
import { eventsPerOrder } from '#tools/seed/add-events.ts'

const usage = `Usage: npm run seed -- [--orders NUMBER] [--events NUMBER] [--seed NUMBER]
  --orders   orders over the last year (400; at most 2,000,000)
  --events   visits and what came of them (12 per order; 0, or at least 3 per order)
  --seed     another number makes other people (1)
Makes a demo shop, or makes the demo anew: products, orders and visits of an earlier seed are replaced. A shop that has
sold anything itself is left alone.`

/** What the demo is to be like. */
export type Wishes = { orders: number; events: number; seed: number }

export function readWishes(words: string[]): Wishes {
  const given = parseWords(words)
  const orders = readNumber('orders', given.orders, 400, 2_000_000)
  const events = readNumber('events', given.events, orders * 12, 20_000_000)
  const seed = readNumber('seed', given.seed, 1, 1_000_000_000)
  if (events > 0 && events < orders * eventsPerOrder)
    throw new CannotStart(
      `--events ${events} is too few: each of the ${orders} orders was looked at, paid and thanked for, which is ` +
        `${orders * eventsPerOrder} events. Or say --events 0.`,
    )
  return { orders, events, seed }
}

function parseWords(args: string[]) {
  const number = { type: 'string' } as const
  try {
    return parseArgs({ args, options: { orders: number, events: number, seed: number } }).values
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CannotStart(`${reason}\n\n${usage}`, { cause })
  }
}

function readNumber(name: string, given: string | undefined, usual: number, most: number): number {
  if (given === undefined) return usual
  if (/^\d{1,10}$/.test(given) && Number(given) <= most) return Number(given)
  throw new CannotStart(
    `--${name} must be a number from 0 to ${most.toLocaleString('en')}, not "${given}".\n\n${usage}`,
  )
}
