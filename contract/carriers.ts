import type { z } from 'zod'
import type { shipment } from './answers/orders.ts'
import { countryCodes, findCountry } from './world-countries.ts'

/** Who carries parcels, in the order the list shows them. `other` is anybody else: its link is given with the parcel. */
export const carriers = [
  'dhl',
  'dpd',
  'gls',
  'laposte',
  'postnl',
  'royalmail',
  'ups',
  'other',
] as const
export type Carrier = (typeof carriers)[number]

export const carrierNames: Record<Carrier, string> = {
  dhl: 'DHL',
  dpd: 'DPD',
  gls: 'GLS',
  laposte: 'La Poste / Colissimo',
  postnl: 'PostNL',
  royalmail: 'Royal Mail',
  ups: 'UPS',
  other: 'Other carrier',
}

/** How an order was sent. A parcel has a number, a link, or both. */
export type Shipment = z.infer<typeof shipment>

/** Where a parcel goes: PostNL shows it only to who knows. */
export type Destination = { country: string; postcode?: string | undefined }

const urlPrefixes: Record<Exclude<Carrier, 'other'>, string> = {
  dhl: 'https://www.dhl.de/de/privatkunden/dhl-sendungsverfolgung.html?piececode=',
  dpd: 'https://tracking.dpd.de/status/en_US/parcel/',
  gls: 'https://gls-group.eu/EU/en/parcel-tracking?match=',
  laposte: 'https://www.laposte.fr/outils/suivre-vos-envois?code=',
  postnl: 'https://jouw.postnl.nl/track-and-trace/',
  royalmail: 'https://www.royalmail.com/track-your-item#/tracking-results/',
  ups: 'https://www.ups.com/track?tracknum=',
}

/** The page of the carrier that shows this parcel. Null for a carrier that we have no address of. */
export function createTrackingUrl(
  carrier: Carrier,
  trackingNumber: string,
  destination: Destination,
): string | null {
  if (carrier === 'other') return null
  const number = encodeURIComponent(trackingNumber)
  const rest = carrier === 'postnl' ? formatDestination(destination) : ''
  return `${urlPrefixes[carrier]}${number}${rest}`
}

/** '-NL-1012AB'. Without a postcode PostNL asks for it. */
function formatDestination({ country, postcode }: Destination): string {
  const known = findCountry(country)
  const code = postcode?.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  return known && code ? `-${countryCodes[known]}-${encodeURIComponent(code)}` : ''
}

export const maxTrackingNumberLength = 50

/** As people copy it, '1Z 999 AA1 01…': carriers' pages want it without spaces. */
export function cleanTrackingNumber(typed: string): string {
  return typed.replaceAll(/\s/g, '')
}

/** Letters, digits and what some carriers put between them. */
export function isTrackingNumber(text: string): boolean {
  return text.length <= maxTrackingNumberLength && /^[A-Za-z0-9][A-Za-z0-9._/-]{2,}$/.test(text)
}

/** Posts by the country at the end of an S10 number. */
const posts: Record<string, Carrier> = { DE: 'dhl', FR: 'laposte', GB: 'royalmail', NL: 'postnl' }

/** The carrier of a number that can be no other's. Ten to fourteen digits may be anybody's. */
export function recognizeCarrier(trackingNumber: string): Carrier | undefined {
  const number = cleanTrackingNumber(trackingNumber).toUpperCase()
  if (/^1Z[0-9A-Z]{16}$/.test(number)) return 'ups'
  if (/^JJD[0-9A-Z]{10,30}$/.test(number)) return 'dhl'
  return isS10(number) ? posts[number.slice(-2)] : undefined
}

const s10Weights = [8, 6, 4, 2, 3, 5, 9, 7]

/** The Universal Postal Union's form, RR123456785DE: the ninth digit checks the eight before it. */
function isS10(number: string): boolean {
  if (!/^[A-Z]{2}\d{9}[A-Z]{2}$/.test(number)) return false
  const digits = Array.from(number.slice(2, 11), Number)
  const sum = s10Weights.reduce((total, weight, at) => total + weight * (digits[at] ?? 0), 0)
  const check = 11 - (sum % 11)
  return digits[8] === (check === 10 ? 0 : check === 11 ? 5 : check)
}

/** The address of a page as its browser writes it; undefined for what is not a whole https address. */
export function parseTrackingUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, username, password, href } = new URL(text)
  const isPublic = hostname.includes('.') && !username && !password
  return protocol === 'https:' && isPublic ? href : undefined
}
