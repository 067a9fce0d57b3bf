import { type ComponentType, lazy } from 'react'
import { useLocation } from 'wouter'

import { type adminPages, pages } from '#contract/paths.ts'
import { NotFoundPage } from '#web/public/not-found-page.tsx'

import { AdminArea } from './admin-area.tsx'
import { LoginPage } from './login-page.tsx'
import { ProductsLink } from './products-link.tsx'
import { useDocumentTitle } from './use-document-title.ts'

const ProductsPage = lazy(async () => ({
  default: (await import('./products/products-page.tsx')).ProductsPage,
}))
const OrdersPage = lazy(async () => ({
  default: (await import('./orders/orders-page.tsx')).OrdersPage,
}))
const FulfillmentPage = lazy(async () => ({
  default: (await import('./fulfillment/fulfillment-page.tsx')).FulfillmentPage,
}))
const AnalyticsPage = lazy(async () => ({
  default: (await import('./analytics/analytics-page.tsx')).AnalyticsPage,
}))

const screens: Record<(typeof adminPages)[number], ComponentType> = {
  [pages.home]: ProductsPage,
  [pages.products]: ProductsPage,
  [pages.orders]: OrdersPage,
  [pages.fulfillment]: FulfillmentPage,
  [pages.analytics]: AnalyticsPage,
}

export function Routes() {
  const [path] = useLocation()
  if (path === pages.login) return <LoginPage />
  if (!isScreen(path)) return <NothingHere />

  const Screen = screens[path]
  return (
    <AdminArea>
      <Screen />
    </AdminArea>
  )
}

function isScreen(path: string): path is keyof typeof screens {
  return Object.hasOwn(screens, path)
}

function NothingHere() {
  useDocumentTitle('Page Not Found')
  return (
    <NotFoundPage>
      <ProductsLink />
    </NotFoundPage>
  )
}
