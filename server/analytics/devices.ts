import { parse } from 'bowser'
import { isbot } from 'isbot'
import { deviceTypes, type DeviceType } from '#contract/analytics.ts'
import { rememberUpTo } from '#server/remember.ts'

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

const bot: Device = { isBot: true }

/** What a user agent tells. Who does not even say what they are is no person with a browser. */
export function readDevice(userAgent = ''): Device {
  const told = userAgent.slice(0, longestUserAgent)
  if (userAgent.length > told.length && isbot(userAgent.slice(0, longestOfBots))) return bot
  return describe(told)
}

const describe = rememberUpTo(mostKept, (userAgent): Device => {
  if (userAgent.trim() === '' || isbot(userAgent)) return bot
  const { platform, browser, os } = parse(userAgent)
  return {
    isBot: false,
    deviceType: deviceTypes.find((type) => type === platform.type),
    browser: browser.name?.slice(0, longestName) || undefined,
    os: os.name?.slice(0, longestName) || undefined,
  }
})
