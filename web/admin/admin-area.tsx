import { type ReactNode, Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'

import { AdminLayout } from './admin-layout.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { turnAwayFrom } from './unauthorized.ts'
import { UnreachablePage } from './unreachable-page.tsx'
import { useAdmin } from './use-admin.ts'

/** Everything behind the sign-in. Until it is known who asks, the layout stands empty in its final shape. */
export function AdminArea({ children }: { children: ReactNode }) {
  const { admin, isSignedOut, isUnreachable, isAsking, askAgain } = useAdmin()
  useTurnAway(isSignedOut)

  if (isUnreachable) return <UnreachablePage isAsking={isAsking} onRetry={() => void askAgain()} />
  return (
    <AdminLayout admin={admin}>
      <Suspense fallback={<PageSkeleton />}>{admin ? children : <PageSkeleton />}</Suspense>
    </AdminLayout>
  )
}

function useTurnAway(isSignedOut: boolean) {
  const [path] = useLocation()
  useEffect(() => {
    if (isSignedOut) turnAwayFrom(path)
  }, [isSignedOut, path])
}
