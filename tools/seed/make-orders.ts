import { createHash } from 'node:crypto'
import { type Address, type OrderStatus, orderStatuses } from '#contract/orders.ts'
import { chanceOf, type Chance } from '#tools/seed/chance.ts'
import { demoProducts } from '#tools/seed/demo-products.ts'
import { demoPlaces, type DemoPlace } from '#tools/seed/places.ts'

/** A row for the database, under the names that add-orders.ts reads. */
export type DemoOrder = {
  id: string
  number: number
  product_id: string
  /** If it was sold under another name than today's. */
  earlier_name: string | null
  email: string
  name: string
  phone: string | null
  shipping: Address
  billing: Address | null
  status: OrderStatus
  accepts_news: boolean
  created_at: string
  /** When it reached each status, the first being its beginning. */
  steps: string[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const daysBack = 365
const renamedDaysAgo = 180

/** Orders of the last year, oldest first, in batches. The same seed makes the same people buy the same things. */
export function* makeOrders(
  seed: number,
  count: number,
  now: Date,
  batchSize: number,
): Generator<DemoOrder[]> {
  const times = makeTimes(seed, count, now)
  let batch: DemoOrder[] = []
  let last: DemoOrder | undefined
  for (const [index, time] of times.entries()) {
    const chance = chanceOf(seed, index + 1)
    // Now and then somebody pays twice.
    const twice = chance.happens(0.004) ? last : undefined
    const soon = twice ? Math.min(time, Date.parse(twice.created_at) + 180_000) : time
    const which = { id: makeId(seed, index + 1), number: index + 1 }
    const order = { ...makeOrder(chance, which, soon, now), ...(twice && createBuyer(twice)) }
    last = order
    batch.push(order)
    if (batch.length < batchSize && index < count - 1) continue
    yield batch
    batch = []
  }
}

function makeId(seed: number, number: number): string {
  const digits = createHash('md5').update(`till demo ${seed} ${number}`).digest('hex')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}

/** More lately than long ago, more in the evening than at night. */
function makeTimes(seed: number, count: number, now: Date): Float64Array {
  const chance = chanceOf(seed, 0)
  return Float64Array.from({ length: count }, () => {
    const day =
      Math.floor(now.getTime() / dayMs) - Math.floor(chance.between(0, 1) ** 1.9 * daysBack)
    const hour = chance.happens(0.4) ? chance.between(17, 22) : chance.between(6.5, 23.5)
    const time = day * dayMs + hour * hourMs + chance.between(0, hourMs / 4)
    return time < now.getTime() ? time : time - dayMs
  }).toSorted()
}

function makeOrder(
  chance: Chance,
  { id, number }: { id: string; number: number },
  time: number,
  now: Date,
): DemoOrder {
  const place = chance.pickEarly(demoPlaces)
  const shipping = makeAddress(chance, place)
  const name = `${shipping.firstName} ${shipping.lastName}`
  const steps = makeSteps(chance, time, now)
  const product = chance.pickEarly(demoProducts)
  const isEarly = time < now.getTime() - renamedDaysAgo * dayMs
  return {
    id,
    number,
    product_id: product.id,
    earlier_name: (isEarly && product.earlierName) || null,
    email: `${writeMailbox(name)}${chance.whole(1, 9_999)}@example.${chance.pick(['com', 'org', 'net'])}`,
    name,
    phone: chance.happens(0.6)
      ? place.phone.replaceAll('x', () => String(chance.whole(0, 9)))
      : null,
    shipping,
    billing: chance.happens(0.08) ? makeAddress(chance, place) : null,
    status: orderStatuses[steps.length - 1] ?? 'pending',
    accepts_news: chance.happens(0.27),
    created_at: steps[0] ?? now.toISOString(),
    steps,
  }
}

function makeAddress(chance: Chance, place: DemoPlace): Address {
  const from = (list: string) => chance.pick(list.split(', ') as [string, ...string[]])
  const [city = '', postcode = '', state] = from(place.cities).split(' / ')
  const street = from(place.streets)
  const house = chance.whole(1, 140)
  return {
    country: place.country,
    firstName: from(place.firstNames),
    lastName: from(place.lastNames),
    address: place.writeStreet === 'number last' ? `${street} ${house}` : `${house} ${street}`,
    ...(chance.happens(0.2)
      ? { apartment: place.apartment.replace('#', String(chance.whole(1, 9))) }
      : {}),
    city,
    ...(state ? { state } : {}),
    postcode,
  }
}

/** From the sale to the door: how far an order has come follows from its age. */
function makeSteps(chance: Chance, time: number, now: Date): string[] {
  const processed = time + chance.between(2, 40) * hourMs
  const shipped = processed + chance.between(6, 72) * hourMs
  const completed = shipped + chance.between(2, 7) * dayMs
  return [time, processed, shipped, completed]
    .filter((step, index) => index === 0 || step < now.getTime())
    .map((step) => new Date(step).toISOString())
}

function createBuyer(order: DemoOrder) {
  const { email, name, phone, shipping, billing, product_id, earlier_name } = order
  return { email, name, phone, shipping, billing, product_id, earlier_name }
}

function writeMailbox(name: string): string {
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
  return plain.toLowerCase().replaceAll(/[^a-z]+/g, '.')
}
