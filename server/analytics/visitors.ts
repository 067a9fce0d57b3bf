import { parse } from 'bowser'
import type { FastifyRequest } from 'fastify'
import { createIsBotFromList, findBotPatterns, list } from 'isbot'
import { deviceTypes, visitorFromHeader, type DeviceType } from '#contract/analytics.ts'
import type { VisitorFacts } from '#server/db/analytics-schema.ts'
import { hostOfUrl, plainHost } from '#server/hosts.ts'
import { hostOf } from '#server/http/access.ts'
import { truncateAddress } from '#server/http/client-address.ts'
import { memoize } from '#server/memoize.ts'
import type { GeoLocations } from './geo-locations.ts'

export type Visitors = {
  identify: (request: FastifyRequest) => Promise<{
    isBot: boolean
    /** Not seen today, by the buyer's cookie: the only way to recognize a browser. */
    isNew: boolean
    facts: VisitorFacts
  }>
}

/** What the shop learns about visitors from their requests. */
export function createVisitors(shop: {
  geoLocations: GeoLocations
  listOwnUrls: () => (string | undefined)[]
  isKnownToday: (request: FastifyRequest) => boolean
}): Visitors {
  const findReferrer = createReferrerFinder(shop.listOwnUrls)

  return {
    async identify(request) {
      const { address } = request
      const { isBot, deviceType, browser, os } = parseUserAgent(request.headers['user-agent'])
      const { country, city } = await shop.geoLocations.locate(address)
      const visitorIp = truncateAddress(address)
      const referrer = findReferrer(request)
      const facts = { visitorIp, deviceType, browser, os, country, city, referrer }
      return { isBot, isNew: !shop.isKnownToday(request), facts }
    },
  }
}

/** For user agents and referrers, which are mostly the same few. */
const maxCached = 2_000

type Device = {
  isBot: boolean
  deviceType?: DeviceType | undefined
  browser?: string | undefined
  os?: string | undefined
}

/** Longer than any browser's; parsing more would only cost time. */
const maxUserAgentLength = 500
/** Some bots begin like a browser and name themselves at the end. */
const maxBotLength = 2_000
const maxNameLength = 100

/**
 * Scripts and headless browsers that a person runs are visitors; only crawlers and link previews are bots. The isbot
 * patterns that match one of these are not used.
 */
const visitingPrograms = [
  'curl/8.14.1',
  'Wget/1.25.0',
  'HTTPie/3.2.4',
  'node',
  'got (https://github.com/sindresorhus/got)',
  'python-requests/2.32.5',
  'Java/21',
  'libwww-perl/6.79',
  'PHP/8.4',
  'PostmanRuntime/7.49.1',
  'RestSharp/112.1.0',
  'HeadlessChrome/140.0.0.0',
  'PhantomJS/2.1.1',
  'Playwright/1.65.0',
  'selenium/4.38.0',
  'Cypress/15.6.0',
]
/** Bots that isbot only recognizes by a pattern that we do not use. */
const additionalBots = ['slurp', '^embedly', '^iframely', '^vkshare', '^mastodon/', '^perplexity']

/** From the first visitor on: comparing all patterns would take a part of every start. */
let findBot: ((userAgent: string) => boolean) | undefined

function isBot(userAgent: string): boolean {
  findBot ??= createIsBotFromList([...listBotPatterns(), ...additionalBots])
  return findBot(userAgent)
}

/** The patterns of isbot that name a bot, without those that only recognize a non-browser. */
function listBotPatterns(): string[] {
  const visiting = new Set(visitingPrograms.flatMap((userAgent) => findBotPatterns(userAgent)))
  return list.filter((pattern) => /[a-z]{3}/.test(pattern) && !visiting.has(pattern))
}

/** An empty user agent is a visitor, too. */
export function parseUserAgent(userAgent = ''): Device {
  const start = userAgent.slice(0, maxUserAgentLength)
  if (userAgent.length > start.length && isBot(userAgent.slice(0, maxBotLength)))
    return { isBot: true }
  return parseDevice(start.trim())
}

const parseDevice = memoize(maxCached, (userAgent): Device => {
  if (userAgent === '') return { isBot: false }
  if (isBot(userAgent)) return { isBot: true }
  const { platform, browser, os } = parse(userAgent)
  return {
    isBot: false,
    deviceType: deviceTypes.find((type) => type === platform.type),
    browser: browser.name?.slice(0, maxNameLength) || undefined,
    os: os.name?.slice(0, maxNameLength) || undefined,
  }
})

/** The limit of DNS names. */
const maxHostLength = 253
/** Enough for any origin; the rest is the page. */
const maxReferrerLength = 500
/** Only the origin, since the page may tell more about the visitor than we want to know. */
const findSite = memoize(maxCached, (address): { host: string; origin: string } | undefined => {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const host = plainHost(url.hostname)
  return host.length > maxHostLength ? undefined : { host, origin: url.origin }
})

/** The site that a visitor came from: the checkout page reports it in a header, other clients have it as their referrer. */
function createReferrerFinder(listOwnUrls: () => (string | undefined)[]) {
  const isOwnHost = (host: string) => listOwnUrls().some((url) => url && hostOfUrl(url) === host)

  function findForeign(
    request: FastifyRequest,
    address: string | string[] | undefined,
  ): string | undefined {
    const site =
      typeof address === 'string' ? findSite(address.slice(0, maxReferrerLength)) : undefined
    if (!site || isOwnHost(site.host) || site.host === hostOf(request)) return undefined
    return site.origin
  }

  return (request: FastifyRequest): string | undefined => {
    const { referer, [visitorFromHeader]: reported } = request.headers
    return findForeign(request, referer) ?? findForeign(request, reported)
  }
}
