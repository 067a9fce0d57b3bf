import type { ArtName } from '#tools/seed/demo-art.ts'

export type DemoProduct = {
  /** Always the same, so that links keep working when the demo is made anew. */
  id: string
  art: ArtName
  name: string
  /** What it was called half a year ago. Orders keep the name that they were sold under. */
  earlierName?: string
  price: string
  description: string
  headerName: string
}

const headerName = 'Hearth & Oak'

/** In the order of their share of the sales. */
export const demoProducts: readonly [DemoProduct, ...DemoProduct[]] = [
  {
    id: 'de300000-0000-4000-a000-000000000001',
    art: 'mug',
    name: 'Stoneware Mug',
    price: '24.00',
    description: 'Thrown by hand, glazed in sea green. Holds 350 ml, loves the dishwasher.',
    headerName,
  },
  {
    id: 'de300000-0000-4000-a000-000000000002',
    art: 'candle',
    name: 'Beeswax Candle',
    earlierName: 'Honey Candle',
    price: '18.50',
    description: 'Pure beeswax from the valley, poured into amber glass. Burns for 45 hours.',
    headerName,
  },
  {
    id: 'de300000-0000-4000-a000-000000000003',
    art: 'board',
    name: 'Oak Serving Board',
    price: '49.00',
    description: 'One piece of European oak, oiled twice. 42 × 18 cm, with a leather loop.',
    headerName,
  },
  {
    id: 'de300000-0000-4000-a000-000000000004',
    art: 'kettle',
    name: 'Pour-over Set',
    price: '64.00',
    description: 'Dripper, glass server and forty filters: coffee for two, slowly.',
    headerName,
  },
  {
    id: 'de300000-0000-4000-a000-000000000005',
    art: 'throw',
    name: 'Wool Throw',
    price: '119.00',
    description: 'Woven from undyed lambswool, 130 × 180 cm. Warm in winter, light in spring.',
    headerName,
  },
  {
    id: 'de300000-0000-4000-a000-000000000006',
    art: 'vase',
    name: 'Porcelain Vase',
    price: '79.00',
    description: 'Thin enough for the light to shine through. Each one leans its own way.',
    headerName,
  },
]
