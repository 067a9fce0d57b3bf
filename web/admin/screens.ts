import { lazy } from 'react'

import { pages } from '#contract/paths.ts'

import { LoginPage } from './login/login-page.tsx'
import type { Screens } from './shell/screen-loading.ts'

const loadProducts = async () => ({
  Page: (await import('./products/products-page.tsx')).ProductsPage,
})

/** All that the shell shows. The folders of the screens import the shell, and it knows them only by this table. */
export const screens: Screens = {
  // Not loaded later: it is also shown when the server does not answer.
  LoginPage,
  pages: {
    [pages.home]: loadProducts,
    [pages.products]: loadProducts,
    [pages.orders]: async () => (await import('./orders/orders-page.tsx')).ordersScreen,
    [pages.fulfillment]: async () =>
      (await import('./orders/fulfillment/fulfillment-page.tsx')).fulfillmentScreen,
    [pages.analytics]: async () => ({
      Page: (await import('./analytics/analytics-page.tsx')).AnalyticsPage,
    }),
  },
  dialogs: {
    Account: lazy(async () => ({
      default: (await import('./account/account-dialog.tsx')).AccountDialog,
    })),
    Settings: lazy(async () => ({
      default: (await import('./settings/settings-dialog.tsx')).SettingsDialog,
    })),
  },
  overlays: {
    palette: async () => (await import('./palette/palette.tsx')).CommandPalette,
    shortcuts: async () => (await import('./palette/shortcut-sheet.tsx')).ShortcutSheet,
  },
}
