import {
  orderStatuses,
  type Address,
  type OrderStatus,
  type ProductAsSold,
} from '#contract/orders.ts'
import type { Country } from '#contract/countries.ts'
import { createRandom, type Random } from '#tools/random.ts'
import { demoProducts } from '#tools/seed/products.ts'

type DemoOrder = {
  product: ProductAsSold
  email: string
  name: string
  phone: string | null
  shipping: Address
  billing: Address | null
  status: OrderStatus
  acceptsNews: boolean
  /** When it reached each status; the first is its creation. */
  steps: Date[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
export const daysBack = 365
/** An exponent above 1: more is sold in recent months. */
export const towardsToday = 1.9
const renamedDaysAgo = 180

/** Orders of the last year, and the same for the same seed. */
export function createOrders(
  { seed, count, now }: { seed: number; count: number; now: Date },
  sold: Map<string, ProductAsSold>,
): DemoOrder[] {
  const random = createRandom(seed)
  const orders: DemoOrder[] = []
  while (orders.length < count) {
    const order = createOrder(random, now, sold)
    orders.push(order)
    // Now and then somebody orders the same thing twice.
    const minutesBefore = (step: Date) => new Date(step.getTime() - 180_000)
    if (orders.length < count && random.chance(0.004))
      orders.push({ ...order, steps: order.steps.map(minutesBefore) })
  }
  return orders
}

function createOrder(random: Random, now: Date, sold: Map<string, ProductAsSold>): DemoOrder {
  const region = pickEarly(random, demoRegions)
  const shipping = createAddress(random, region)
  const name = `${shipping.firstName} ${shipping.lastName}`
  const { id, earlierName } = pickEarly(random, demoProducts)
  const product = sold.get(id)
  if (!product) throw new Error('the demo has no products')
  const time = createTime(random, now)
  const isBeforeRename = time < now.getTime() - renamedDaysAgo * dayMs
  const steps = createSteps(random, time, now)
  return {
    product: { ...product, name: (isBeforeRename && earlierName) || product.name },
    email: `${createMailbox(name)}${random.integer(1, 9_999)}@example.${random.pick(['com', 'org', 'net'])}`,
    name,
    phone: random.chance(0.6)
      ? region.phone.replaceAll('x', () => String(random.integer(0, 9)))
      : null,
    shipping,
    billing: random.chance(0.08) ? createAddress(random, region) : null,
    status: orderStatuses[steps.length - 1] ?? 'pending',
    acceptsNews: random.chance(0.27),
    steps,
  }
}

/** More in recent months, more in the evening than at night. */
function createTime(random: Random, now: Date): number {
  const day =
    Math.floor(now.getTime() / dayMs) - Math.floor(random.next() ** towardsToday * daysBack)
  const hour = random.chance(0.4) ? random.between(17, 22) : random.between(6.5, 23.5)
  const time = day * dayMs + hour * hourMs
  return time < now.getTime() ? time : time - dayMs
}

/** How far an order has come depends on its age. */
function createSteps(random: Random, time: number, now: Date): Date[] {
  const processed = time + random.between(2, 40) * hourMs
  const shipped = processed + random.between(6, 72) * hourMs
  const completed = shipped + random.between(2, 7) * dayMs
  return [time, processed, shipped, completed]
    .filter((step, index) => index === 0 || step < now.getTime())
    .map((step) => new Date(step))
}

function createAddress(random: Random, region: DemoRegion): Address {
  const from = (list: string) => random.pick(list.split(', ')) ?? ''
  const [city = '', postcode = '', state] = from(region.cities).split(' / ')
  const street = from(region.streets)
  const house = random.integer(1, 140)
  return {
    country: region.country,
    firstName: from(region.firstNames),
    lastName: from(region.lastNames),
    address: region.streetFormat === 'number last' ? `${street} ${house}` : `${house} ${street}`,
    ...(random.chance(0.2)
      ? { apartment: region.apartment.replace('#', String(random.integer(1, 9))) }
      : {}),
    city,
    ...(state ? { state } : {}),
    postcode,
  }
}

function createMailbox(name: string): string {
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
  return plain.toLowerCase().replaceAll(/[^a-z]+/g, '.')
}

/** Prefers the first items. */
function pickEarly<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random.next() ** 1.7 * items.length)] ?? items[0]
}

/** Where demo buyers live: real cities and postcodes, common street names. Lists are separated by commas. */
type DemoRegion = {
  country: Country
  firstNames: string
  lastNames: string
  /** city / postcode / state, where addresses have one */
  cities: string
  streets: string
  streetFormat: 'number first' | 'number last'
  /** # is replaced by a number. */
  apartment: string
  /** Number ranges reserved for fiction where they exist; x is replaced by a digit. */
  phone: string
}

/** By their share of the sales. */
const demoRegions: readonly [DemoRegion, ...DemoRegion[]] = [
  {
    country: 'Germany',
    firstNames:
      'Anna, Jonas, Lena, Paul, Emilia, Felix, Käthe, Jürgen, Sophie, Maximilian, Greta, Björn',
    lastNames:
      'Müller, Schmidt, Schneider, Fischer, Weber, Wagner, Becker, Hoffmann, Schäfer, Köhler, Yılmaz, Groß',
    cities:
      'Berlin / 10115, Hamburg / 20095, München / 80331, Köln / 50667, Leipzig / 04109, Dresden / 01069, Freiburg / 79098',
    streets: 'Lindenstraße, Hauptstraße, Gartenweg, Schillerstraße, Bahnhofstraße, Am Mühlbach',
    streetFormat: 'number last',
    apartment: '#. OG',
    phone: '+49 30 23125 xxx',
  },
  {
    country: 'France',
    firstNames: 'Camille, Louis, Chloé, Hugo, Inès, Gabriel, Zoé, Théo, Manon, François',
    lastNames:
      'Martin, Bernard, Dubois, Moreau, Lefèvre, Garcia, Rousseau, Fournier, Benoît, N’Diaye',
    cities:
      'Paris / 75011, Lyon / 69002, Marseille / 13006, Nantes / 44000, Strasbourg / 67000, Nice / 06000',
    streets:
      'rue de la République, rue Victor Hugo, avenue Jean Jaurès, rue des Lilas, impasse du Moulin',
    streetFormat: 'number first',
    apartment: '#e étage',
    phone: '+33 1 99 00 xx xx',
  },
  {
    country: 'Netherlands',
    firstNames: 'Daan, Emma, Sem, Julia, Lotte, Bram, Fleur, Ruben, Noor, Thijs',
    lastNames: 'de Jong, Jansen, de Vries, van den Berg, Bakker, Visser, Smit, Meijer, van ’t Hof',
    cities:
      'Amsterdam / 1012 AB, Rotterdam / 3011 AD, Utrecht / 3511 EN, Groningen / 9711 LM, Eindhoven / 5611 AZ',
    streets: 'Kerkstraat, Molenweg, Dorpsstraat, Julianalaan, Prinsengracht',
    streetFormat: 'number last',
    apartment: '# hoog',
    phone: '+31 20 000 xx xx',
  },
  {
    country: 'United Kingdom',
    firstNames: 'Oliver, Amelia, George, Isla, Harry, Freya, Siân, Callum, Poppy, Rhys',
    lastNames: 'Smith, Jones, Taylor, Brown, Williams, Evans, Patel, O’Connor, MacLeod, Hughes',
    cities:
      'London / E8 3RL / England, Manchester / M4 1HQ / England, Edinburgh / EH3 6TL / Scotland, Cardiff / CF10 1EP / Wales, Bristol / BS1 4DJ / England',
    streets: 'High Street, Station Road, Church Lane, Victoria Road, Mill Lane',
    streetFormat: 'number first',
    apartment: 'Flat #',
    phone: '+44 7700 900xxx',
  },
  {
    country: 'Italy',
    firstNames: 'Giulia, Leonardo, Aurora, Francesco, Sofia, Lorenzo, Niccolò, Chiara, Matteo',
    lastNames: 'Rossi, Russo, Ferrari, Bianchi, Romano, Colombo, Ricci, D’Angelo, Lo Presti',
    cities:
      'Milano / 20121 / MI, Roma / 00184 / RM, Torino / 10121 / TO, Bologna / 40121 / BO, Firenze / 50122 / FI',
    streets: 'Via Roma, Via Garibaldi, Corso Italia, Via Dante, Piazza San Marco',
    streetFormat: 'number last',
    apartment: 'Int. #',
    phone: '+39 02 0000 xxxx',
  },
  {
    country: 'Belgium',
    firstNames: 'Arthur, Louise, Noah, Elise, Wout, Marie, Jef, Céline',
    lastNames: 'Peeters, Janssens, Maes, Jacobs, Mertens, Dupont, Lambert, Van Damme',
    cities: 'Bruxelles / 1000, Antwerpen / 2000, Gent / 9000, Liège / 4000, Leuven / 3000',
    streets: 'Nieuwstraat, Stationsstraat, Rue Haute, Kerkplein, Avenue Louise',
    streetFormat: 'number last',
    apartment: 'Bus #',
    phone: '+32 2 000 xx xx',
  },
  {
    country: 'United States',
    firstNames: 'Emma, Liam, Olivia, Mason, Ava, Ethan, Harper, José, Grace',
    lastNames: 'Johnson, Miller, Davis, Garcia, Rodriguez, Wilson, Nguyen, Kim, Anderson',
    cities:
      'Portland / 97205 / OR, Austin / 78701 / TX, Brooklyn / 11211 / NY, Boston / 02116 / MA, Denver / 80202 / CO',
    streets: 'Maple Street, Oak Avenue, Main Street, Cedar Lane, Washington Boulevard',
    streetFormat: 'number first',
    apartment: 'Apt #',
    phone: '+1 503 555 01xx',
  },
  {
    country: 'Canada',
    firstNames: 'Olivia, Liam, Charlotte, William, Léa, Zoé, Owen, Émile',
    lastNames: 'Tremblay, Roy, Gagnon, MacDonald, Singh, Bouchard, Campbell, Côté',
    cities:
      'Montréal / H2X 1Y4 / QC, Toronto / M5V 2T6 / ON, Vancouver / V6B 1A1 / BC, Québec / G1R 4S9 / QC',
    streets: 'rue Saint-Denis, Queen Street, King Street, Elm Street, chemin du Lac',
    streetFormat: 'number first',
    apartment: 'Apt #',
    phone: '+1 604 555 01xx',
  },
]
