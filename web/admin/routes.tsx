import { createElement } from 'react'
import { useLocation } from 'wouter'

import { pages } from '#contract/paths.ts'
import { NotFoundPage } from '#web/storefront/shell/not-found-page.tsx'

import { AdminArea } from './admin-area.tsx'
import { LoginPage } from './login-page.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { ProductsLink } from './products-link.tsx'
import { isScreen, type ScreenPath, useScreen } from './screens.ts'
import { useDocumentTitle } from './use-document-title.ts'

export function Routes() {
  const [path] = useLocation()
  if (path === pages.login) return <LoginPage />
  return isScreen(path) ? <AdminScreen path={path} /> : <NothingHere />
}

function AdminScreen({ path }: { path: ScreenPath }) {
  const screen = useScreen(path) ?? PageSkeleton
  return <AdminArea>{createElement(screen)}</AdminArea>
}

function NothingHere() {
  useDocumentTitle('Page Not Found')
  return (
    <NotFoundPage>
      <ProductsLink />
    </NotFoundPage>
  )
}
