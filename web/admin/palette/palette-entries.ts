import {
  Archive,
  CirclePause,
  CirclePlay,
  Download,
  ExternalLink,
  Keyboard,
  Link2,
  LogOut,
  type LucideIcon,
  PanelLeft,
  Plus,
  ReceiptText,
  Search,
  Settings,
  Tag,
} from 'lucide-react'

import { formatMoney } from '#contract/money.ts'
import { nameWithValue, type AdminOrder } from '#contract/orders.ts'
import { pages } from '#contract/paths.ts'
import type { Product } from '#contract/products.ts'
import { formatDate } from '#web/admin/dates.ts'
import { labelOf, noValue, shortId } from '#web/admin/orders/order-text.ts'
import { discountsHref, formHref, newProduct } from '#web/admin/products/product-list.ts'
import type { SettingsPlace } from '#contract/admin.ts'
import { menu } from '#web/admin/shell/menu.ts'
import { places } from '#web/admin/shell/places.ts'
import { keysOf } from '#web/admin/shell/shortcuts.ts'

/** What choosing an entry does. */
export type Action =
  | { kind: 'go'; href: string }
  | { kind: 'place'; place: SettingsPlace }
  | { kind: 'order'; id: string }
  | { kind: 'copy'; text: string }
  | { kind: 'open-tab'; href: string }
  | { kind: 'pause'; product: Product }
  | { kind: 'export' | 'shortcuts' | 'sidebar' | 'log-out' }

export type Entry = {
  id: string
  icon: LucideIcon
  title: string
  /** What it is about, beside the title. */
  detail?: string
  /** Never cut off. */
  amount?: string
  /** Other words by which it is found. */
  words?: string
  /** Keys that do the same. */
  keys?: string[]
  action: Action
}

export type Group = { title: string; entries: Entry[] }

const maxPerGroup = 8
/** So few products are offered with all that can be done with them. */
const fewProducts = 2

export const maxOrders = 6
/** Shorter texts are in too many orders to tell anything. */
const minOrderSearch = 2

const pageEntries: Entry[] = menu.map(({ title, path, icon, words }) => ({
  id: path,
  icon,
  title,
  words,
  keys: keysOf(path),
  action: { kind: 'go', href: path },
}))

const actionEntries: Entry[] = [
  {
    id: 'new-product',
    icon: Plus,
    title: 'New product',
    words: 'add create',
    action: { kind: 'go', href: formHref(newProduct) },
  },
  {
    id: 'discounts',
    icon: Link2,
    title: 'Discount codes',
    words: 'coupon voucher promotion sale percent',
    action: { kind: 'go', href: discountsHref },
  },
  {
    id: 'export',
    icon: Download,
    title: 'Export all orders as CSV',
    words: 'download spreadsheet excel',
    action: { kind: 'export' },
  },
  {
    id: 'archive',
    icon: Archive,
    title: 'Payment archive',
    words: 'review',
    action: { kind: 'go', href: `${pages.orders}?review=archive` },
  },
  {
    id: 'shortcuts',
    icon: Keyboard,
    title: 'Keyboard shortcuts',
    keys: ['?'],
    words: 'keys help',
    action: { kind: 'shortcuts' },
  },
  {
    id: 'sidebar',
    icon: PanelLeft,
    title: 'Toggle sidebar',
    words: 'menu collapse expand',
    action: { kind: 'sidebar' },
  },
  {
    id: 'log-out',
    icon: LogOut,
    title: 'Log out',
    words: 'sign out leave',
    action: { kind: 'log-out' },
  },
]

const placeNames = Object.keys(places) as SettingsPlace[]

const placeEntries: Entry[] = placeNames.map((place) => ({
  id: `settings-${place}`,
  icon: Settings,
  title: places[place].title,
  detail: places[place].dialog,
  words: `settings ${places[place].words}`,
  action: { kind: 'place', place },
}))

/** The groups that have something for the text; the one with the best answer first. Without a text: where to begin. */
export function findGroups(
  text: string,
  products: readonly Product[],
  linkOf: (product: Product) => string,
): Group[] {
  const words = splitWords(text)
  const fixed = [
    { title: 'Pages', entries: pageEntries },
    { title: 'Actions', entries: actionEntries },
    { title: 'Settings', entries: placeEntries },
  ]
  if (words.length === 0) return fixed
  const found = fixed.map(({ title, entries }) => ({ title, entries: search(entries, words) }))
  const ofProducts = { title: 'Products', entries: searchProducts(words, products, linkOf) }
  return [...found, ofProducts]
    .filter(({ entries }) => entries.length > 0)
    .map((group) => ({ ...group, rank: Math.min(...group.entries.map((e) => rank(e, words))) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ title, entries }) => ({ title, entries }))
}

function search(entries: Entry[], words: string[]): Entry[] {
  return entries
    .filter((entry) => words.every((word) => textOf(entry).includes(word)))
    .toSorted((one, other) => rank(one, words) - rank(other, words))
    .slice(0, maxPerGroup)
}

/** Products by name. What else can be done with them is offered for few of them, or when it is named: 'pause mug'. */
function searchProducts(
  words: string[],
  products: readonly Product[],
  linkOf: (product: Product) => string,
): Entry[] {
  const named = products.filter(({ name }) => hasWords(fold(name), words))
  const entries = products.flatMap((product) => {
    const [edit, ...others] = productEntries(product, linkOf(product))
    const isNamed = named.includes(product)
    return isNamed && named.length > fewProducts ? [edit] : [edit, ...others]
  })
  return search(
    entries.filter((entry) => entry !== undefined),
    words,
  )
}

function productEntries(product: Product, link: string): Entry[] {
  const { id, name, isPaused } = product
  const about = { detail: name, words: 'product' }
  return [
    {
      id: `product-${id}`,
      icon: Tag,
      title: name,
      detail: 'Edit',
      words: 'product',
      action: { kind: 'go', href: formHref(id) },
    },
    {
      id: `copy-${id}`,
      icon: Link2,
      title: 'Copy link',
      ...about,
      action: { kind: 'copy', text: link },
    },
    {
      id: `tab-${id}`,
      icon: ExternalLink,
      title: 'Open checkout in new tab',
      ...about,
      action: { kind: 'open-tab', href: link },
    },
    {
      id: `pause-${id}`,
      icon: isPaused ? CirclePlay : CirclePause,
      title: isPaused ? 'Resume' : 'Pause',
      ...about,
      action: { kind: 'pause', product },
    },
  ]
}

/** What tells orders of one customer apart comes first: the end of the line may be cut off. */
export function orderEntry(order: AdminOrder): Entry {
  const { id, customerEmail, customerName, product, amount, currency, status, createdAt } = order
  const [name, ...others] = [customerName, customerEmail].filter(Boolean)
  const { day } = formatDate(createdAt)
  const number = order.number > 0 ? [`#${order.number}`] : []
  const details = [
    labelOf(status, order),
    day,
    shortId(id),
    ...number,
    nameWithValue(product) || 'Unknown',
    ...others,
  ]
  return {
    id: `order-${id}`,
    icon: ReceiptText,
    title: name ?? noValue,
    detail: details.join(' · '),
    amount: formatMoney(amount, currency),
    action: { kind: 'order', id },
  }
}

export function allOrdersEntry(q: string): Entry {
  return {
    id: 'all-orders',
    icon: Search,
    title: 'All orders that match',
    action: { kind: 'go', href: `${pages.orders}?${new URLSearchParams({ q })}` },
  }
}

/** As people copy it from a list or a mail: '#1a2b3c4d…'. Undefined if it is too short to search orders with. */
export function orderSearchOf(text: string): string | undefined {
  const q = text
    .trim()
    .replace(/^#\s*/, '')
    .replace(/(…|\.{3})$/, '')
    .trim()
  return q.length >= minOrderSearch ? q : undefined
}

/** The orders found for an earlier text that match the new one too: they stay until the server has answered. */
export function stillMatching(orders: readonly AdminOrder[], q: string): AdminOrder[] {
  const words = splitWords(q)
  return orders.filter((order) => {
    const { id, number, customerEmail, customerName, customerPhone, product, shippingAddress } =
      order
    const price = formatMoney(order.amount, order.currency)
    const { note } = order
    const texts = [
      id,
      number,
      customerEmail,
      customerName,
      customerPhone,
      nameWithValue(product),
      note,
      price,
    ]
    return hasWords(fold([...texts, ...Object.values(shippingAddress)].join(' ')), words)
  })
}

/** 0: the title begins with it; 1: a word of the title does; 2: it is somewhere. */
function rank({ title }: Entry, words: string[]): number {
  const folded = fold(title)
  if (folded.startsWith(words.join(' '))) return 0
  return words.every((word) => ` ${folded}`.includes(` ${word}`)) ? 1 : 2
}

function textOf({ title, detail = '', words = '' }: Entry): string {
  return fold(`${title} ${detail} ${words}`)
}

function hasWords(text: string, words: string[]): boolean {
  return words.every((word) => text.includes(word))
}

function splitWords(text: string): string[] {
  return fold(text).split(/\s+/).filter(Boolean)
}

/** Neither capitals nor accents matter: 'cafe' finds 'Café'. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
}
