import { parse } from 'bowser'
import { createIsBotFromList, findBotPatterns, list } from 'isbot'
import { deviceTypes, type DeviceType } from '#contract/analytics.ts'
import { memoize } from '#server/memoize.ts'

export type Device = {
  isBot: boolean
  deviceType?: DeviceType | undefined
  browser?: string | undefined
  os?: string | undefined
}

/** Longer than any browser's. What comes behind it would only cost time. */
const longestUserAgent = 500
/** Some programs pretend to be a browser first and say at the end what they are. */
const longestOfBots = 2_000
const longestName = 100
const mostKept = 2_000

/**
 * Programs that somebody runs, a script or a browser without a window, are visitors too: only crawlers and fetchers of
 * previews come by themselves. By whatever isbot knows one of these, nobody is taken for a bot here.
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
/** Those whom isbot knows only by not looking like a browser. */
const moreBots = ['slurp', '^embedly', '^iframely', '^vkshare', '^mastodon/', '^perplexity']

const isNamedBot = createIsBotFromList([...namingPatterns(), ...moreBots])

/** What isbot looks for, without what names nothing and only says that this is no browser. */
function namingPatterns(): string[] {
  const visiting = new Set(visitingPrograms.flatMap((userAgent) => findBotPatterns(userAgent)))
  return list.filter((pattern) => /[a-z]{3}/.test(pattern) && !visiting.has(pattern))
}

const bot: Device = { isBot: true }

/** What a user agent tells. Who says nothing of themselves is a visitor all the same. */
export function readDevice(userAgent = ''): Device {
  const told = userAgent.slice(0, longestUserAgent)
  if (userAgent.length > told.length && isNamedBot(userAgent.slice(0, longestOfBots))) return bot
  return describe(told.trim())
}

const describe = memoize(mostKept, (userAgent): Device => {
  if (userAgent === '') return { isBot: false }
  if (isNamedBot(userAgent)) return bot
  const { platform, browser, os } = parse(userAgent)
  return {
    isBot: false,
    deviceType: deviceTypes.find((type) => type === platform.type),
    browser: browser.name?.slice(0, longestName) || undefined,
    os: os.name?.slice(0, longestName) || undefined,
  }
})
