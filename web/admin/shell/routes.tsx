import { createElement, useEffect } from 'react'
import { Link, useLocation } from 'wouter'

import { pages } from '#contract/paths.ts'
import { redirectSignedOut, useAdmin, useForgottenSession } from '#web/admin/session/session.ts'
import { NotFoundPage } from '#web/ui/not-found-page.tsx'

import { AdminLayout } from './layout.tsx'
import { useDocumentTitle } from './page-head.tsx'
import { PageSkeleton } from './page-states.tsx'
import { isScreenPath, type ScreenPath, usePage, useScreens } from './screen-loading.ts'

export function Routes() {
  const [path] = useLocation()
  const screens = useScreens()
  if (path === pages.login) return <screens.LoginPage />
  return isScreenPath(screens, path) ? <AdminScreen path={path} /> : <NotFound />
}

/** Until the session is known, the layout shows placeholders in its final shape. */
function AdminScreen({ path }: { path: ScreenPath }) {
  const page = usePage(path) ?? PageSkeleton
  const { admin, notices, isSignedOut, isUnreachable } = useAdmin()
  useForgottenSession()
  useEffect(() => {
    if (isSignedOut) redirectSignedOut(path, isUnreachable)
  }, [isSignedOut, isUnreachable, path])

  return (
    <AdminLayout admin={admin} notices={notices}>
      {admin ? createElement(page) : <PageSkeleton />}
    </AdminLayout>
  )
}

function NotFound() {
  useDocumentTitle('Page Not Found')
  return (
    <NotFoundPage>
      <Link
        href={pages.products}
        className="mt-4 inline-flex h-9 items-center rounded-md text-sm font-medium text-accent underline underline-offset-4 hover:text-accent-strong pointer-coarse:h-11"
      >
        Go to your products
      </Link>
    </NotFoundPage>
  )
}
