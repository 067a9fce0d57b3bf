import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import {
  createReadRequests,
  loadServer,
  startBareRoute,
  type BareAnswer,
} from '#tools/bench/load.ts'
import { formatNumber, median, openBenchShop, printFigure } from '#tools/bench/shop.ts'

const browsers = 100
const secondsPerLoad = 1
const warmUpRounds = 2
const loadRounds = 7

/** What visitors read most, beside a bare Fastify route that sends the same bytes. */
export async function benchPages(): Promise<void> {
  const shop = await openBenchShop(100)
  try {
    const [product] = JSON.parse(await shop.read(apiRoutes.products)) as { id: string }[]
    const id = product?.id ?? ''
    await benchRead('checkout page, compressed', shop, checkoutPath(id))
    await benchRead('a product as JSON', shop, pathOf(apiRoutes.product, { id }))
  } finally {
    await shop.close()
  }
}

async function benchRead(
  name: string,
  shop: { port: number; address: string },
  path: string,
): Promise<void> {
  const bare = await startBareRoute(await readAnswer(shop, path))
  const requests = createReadRequests(path)
  const shares: { ours: number; bare: number }[] = []
  for (let round = 0; round < warmUpRounds + loadRounds; round += 1) {
    const load = (port: number) => loadServer(port, browsers, secondsPerLoad, requests)
    const [theirs, ours] = [await load(bare.port), await load(shop.port)]
    const others = Object.keys(ours.statuses).filter((status) => status !== '200')
    if (others.length > 0) throw new Error(`${path} was answered with ${others.join()}`)
    shares.push({ ours: ours.perSecond, bare: theirs.perSecond })
  }
  bare.stop()
  const warm = shares.slice(warmUpRounds)
  const share = median(warm.map(({ ours, bare: theirs }) => ours / theirs))
  printFigure(
    name,
    `${formatNumber(median(warm.map(({ ours }) => ours)))} requests/s, × ${share.toFixed(2)} of bare Fastify with the same bytes`,
  )
}

/** As it is sent: fetch would unpack it. */
async function readAnswer({ port }: { port: number }, path: string): Promise<BareAnswer> {
  const request = get({ port, path, headers: { 'accept-encoding': 'gzip' } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const { 'content-type': type = '', 'content-encoding': encoding } = answer.headers
  const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
  return { headers, body: (await buffer(answer)).toString('base64') }
}
