import { useQuery } from '@tanstack/react-query'

import type { AdminUser, Notice } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { getQueryFn } from '#web/api.ts'

/**
 * Who is signed in, and what they should know about their shop. Both are asked for at once and shown together: a
 * notice that came later would push the page down. Without an answer nobody is signed in.
 */
export function useAdmin() {
  const user = useQuery({
    queryKey: [apiRoutes.adminUser],
    queryFn: getQueryFn<AdminUser | null>({ on401: 'returnNull' }),
    retry: false,
  })
  const notices = useQuery({
    queryKey: [apiRoutes.notices],
    queryFn: getQueryFn<Notice[] | null>({ on401: 'returnNull' }),
  })
  return {
    // Without its notices the page is still a page.
    admin: notices.isPending ? undefined : (user.data ?? undefined),
    notices: notices.data ?? [],
    isSignedOut: !user.isPending && !user.data,
    isUnreachable: user.isError,
  }
}
