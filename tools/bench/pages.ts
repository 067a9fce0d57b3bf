import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import {
  createReadRequests,
  loadServer,
  readHeaders,
  startBareRoute,
  type BareAnswer,
} from '#tools/bench/load.ts'
import { readServerCpu } from '#tools/bench/processes.ts'
import type { Row } from '#tools/bench/report.ts'
import { findProduct, formatNumber, type BenchShop, type BenchOptions } from '#tools/bench/shop.ts'

/** Until V8 has compiled what is asked for all the time. */
const warmUpRounds = 8
/** Many short rounds, of which the best counts: whatever else runs on the machine only makes a round slower. */
const ofReads = { browsers: 100, seconds: 0.3, rounds: 25 }

/** What visitors ask for most, beside a bare Fastify route that sends the same bytes. */
export async function benchPages({ shops }: BenchOptions): Promise<Row[]> {
  const shop = await shops.small()
  const { id } = await findProduct(shop)
  const read = async (path: string) => ({
    shop,
    ...ofReads,
    requests: createReadRequests(path),
    answer: await readAnswer(shop, path),
  })
  return [
    await compare({
      ...(await read(checkoutPath(id))),
      what: 'GET /checkout/{id}, compressed',
      minRatio: 0.4,
      before: '720-930 a second: 0.02',
    }),
    await compare({
      ...(await read(pathOf(apiRoutes.product, { id }))),
      what: 'GET /api/products/{id}',
      minRatio: 0.5,
      before: '26,000-29,700 a second: 0.59-0.67',
    }),
  ]
}

/** Both servers are asked in turn, so that other load on the machine affects both. */
async function compare({
  what,
  shop,
  browsers,
  seconds,
  rounds,
  requests,
  answer,
  minRatio,
  before,
}: {
  what: string
  shop: BenchShop
  browsers: number
  seconds: number
  rounds: number
  requests: () => string
  answer?: BareAnswer
  minRatio: number
  before?: string
}): Promise<Row> {
  const bare = await startBareRoute(answer)
  const rates: { ours: number; theirs: number; cpuMs: number }[] = []
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const theirs = await loadServer(bare.port, browsers, seconds, requests)
    const cpuBefore = readServerCpu(shop.pid)
    const ours = await loadServer(shop.port, browsers, seconds, requests)
    const refused = Object.keys(ours.statuses).filter((status) => !status.startsWith('2'))
    if (refused.length > 0) throw new Error(`${what}: answered with ${refused.join()}`)
    const cpuMs = ((readServerCpu(shop.pid) - cpuBefore) * 1000) / (ours.perSecond * seconds)
    if (round >= 0) rates.push({ ours: ours.perSecond, theirs: theirs.perSecond, cpuMs })
  }
  bare.stop()
  const ours = Math.max(...rates.map((rate) => rate.ours))
  const theirs = Math.max(...rates.map((rate) => rate.theirs))
  const ratio = ours / theirs
  const cpuMs = Math.min(...rates.map((rate) => rate.cpuMs))
  return {
    what,
    measured: `${formatNumber(ours)} a second, ${cpuMs.toFixed(2)} CPU ms`,
    limit: `bare Fastify ${formatNumber(theirs)} a second`,
    ratio,
    aim: `≥ ${minRatio}`,
    isMet: ratio >= minRatio,
    ...(before && { before }),
  }
}

/** As it is sent: fetch would unpack it. */
async function readAnswer({ port }: { port: number }, path: string): Promise<BareAnswer> {
  const request = get({ port, path, headers: readHeaders })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const { 'content-type': type = '', 'content-encoding': encoding } = answer.headers
  const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
  return { headers, body: (await buffer(answer)).toString('base64') }
}
