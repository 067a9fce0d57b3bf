import assert from 'node:assert/strict'
import { carrierNames } from '#contract/carriers.ts'
import { languages, type Language } from '#contract/languages.ts'
import { otherMethods } from '#contract/payment-methods.ts'
import type { PickupPlace, Terms } from '#contract/quotes.ts'
import { nameCountry } from '#contract/texts/countries.ts'
import { formatReceived } from '#contract/withdrawal-text.ts'

/*
 * Buyers' pages and mails are written in a language whose every text stands in ⟦brackets⟧, and about data of digits: letters
 * outside of brackets are a text that was forgotten, and would be English in all languages.
 */

export const language: Language = 'de'
export const time = '2026-01-02T03:04:05.000Z'

/** Not what is filled in, so that a forgotten text is found there, too. */
export function bracket<Texts>(texts: Texts): Texts {
  if (typeof texts === 'string') {
    const parts = texts.split(/(\{\w+\})/).map((part) => (/^\{|^$/.test(part) ? part : `⟦${part}⟧`))
    return parts.join('') as Texts
  }
  if (Array.isArray(texts)) return texts.map((text) => bracket(text)) as Texts
  const inner = Object.entries(texts as object).map(([name, text]) => [name, bracket(text)])
  return Object.fromEntries(inner) as Texts
}

/** Names that are the same in every language, or that Node knows. */
const names = [
  nameCountry('Germany', language),
  ...Object.values(languages).map(({ name }) => name),
  ...Object.values(otherMethods).map(({ name }) => name),
  carrierNames.dhl,
  'Till',
  formatReceived(new Date(time), language),
  'Januar',
  'EUR',
  'CHF',
]

/** What stands in no brackets and is no name. */
export function findForgotten(text: string): string[] {
  const left = names.reduce((rest, name) => rest.replaceAll(name, ''), text)
  const outside = left.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
  return outside.match(/\p{L}[^\n]*/gu) ?? []
}

/** What people see or hear of a page. */
export function readHtml(html: string): string {
  const body = html
    .replaceAll(/<(script|style)\b[^>]*>[^<]*<\/\1>/g, '')
    .replaceAll(/<!--[^>]*-->/g, '')
  const attributes = body.matchAll(
    /\s(?:aria-label|alt|title|placeholder|label|data-other-label)="([^"]*)"/g,
  )
  const spoken = Array.from(attributes, ([, text]) => text).join('\n')
  return `${spoken}\n${body.replaceAll(/<[^>]*>/g, '\n')}`
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/&#?\w+;/g, '')
}

export function assertBracketed(html: string, what: string): void {
  const text = readHtml(html)
  assert.match(text, /⟦/, what)
  assert.deepEqual(findForgotten(text), [], what)
}

export const id = '10000000-0000-4000-8000-000000000001'
export const email = '1@2.3'
export const product = {
  id,
  name: '1001',
  price: '10.00',
  currency: 'EUR',
  description: '1002',
  imageUrl: null,
  headerName: null,
  headerLogoUrl: '',
  noteLabel: '1003',
} as const
export const address = {
  country: 'Germany',
  firstName: '11',
  lastName: '12',
  address: '13',
  city: '14',
  postcode: '15',
}
export const pickup: PickupPlace = {
  name: '21',
  address: '22',
  postcode: '23',
  city: '24',
  state: null,
  country: 'Germany',
  hours: '25',
}
export const terms: Terms = {
  subtotal: '10.00',
  shipping: '2.00',
  discount: '1.00',
  code: '31',
  country: 'Germany',
  isPickup: false,
}
export const shipment = {
  carrier: 'dhl',
  trackingNumber: '71',
  trackingUrl: 'https://1.2/3',
} as const
export const pickedUp = { terms: { ...terms, isPickup: true, shipping: '0.00', country: null } }
export const returns = [
  { refundedAmount: '11.00' },
  { chargedBackAmount: '11.00' },
  { refundedAmount: '5.00', chargedBackAmount: '6.00' },
  { refundedAmount: '5.00' },
]
