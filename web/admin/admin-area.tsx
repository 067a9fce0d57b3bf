import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'

import { AdminLayout } from './admin-layout.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { turnAwayFrom } from './unauthorized.ts'
import { useAdmin } from './use-admin.ts'

/** Everything behind the sign-in. Until it is known who asks, the layout stands empty in its final shape. */
export function AdminArea({ children }: { children: ReactNode }) {
  const { admin, notices, isSignedOut, isUnreachable } = useAdmin()
  useTurnAway(isSignedOut, isUnreachable)

  return (
    <AdminLayout admin={admin} notices={notices}>
      {admin ? children : <PageSkeleton />}
    </AdminLayout>
  )
}

function useTurnAway(isSignedOut: boolean, isUnreachable: boolean) {
  const [path] = useLocation()
  useEffect(() => {
    if (isSignedOut) turnAwayFrom(path, isUnreachable)
  }, [isSignedOut, isUnreachable, path])
}
