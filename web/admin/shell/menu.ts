import { ChartColumn, type LucideIcon, PackageCheck, ReceiptText, Tag } from 'lucide-react'

import { pages } from '#contract/paths.ts'

import type { ScreenPath } from './screen-loading.ts'

export type MenuEntry = {
  title: string
  path: ScreenPath
  /** A second path of the same page. */
  alias?: ScreenPath
  icon: LucideIcon
  /** Other words by which the command palette finds the page. */
  words: string
}

/** The pages of the back-office, as the sidebar and the command palette show them. */
export const menu: MenuEntry[] = [
  {
    title: 'Products',
    path: pages.products,
    alias: pages.home,
    icon: Tag,
    words: 'catalogue links',
  },
  { title: 'Orders', path: pages.orders, icon: ReceiptText, words: 'sales customers' },
  {
    title: 'Fulfillment',
    path: pages.fulfillment,
    icon: PackageCheck,
    words: 'fulfilment ship parcels',
  },
  {
    title: 'Analytics',
    path: pages.analytics,
    icon: ChartColumn,
    words: 'revenue figures statistics',
  },
]
