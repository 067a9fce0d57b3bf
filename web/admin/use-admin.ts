import { useQuery } from '@tanstack/react-query'

import type { AdminUser } from '#contract/admin.ts'
import { calls } from '#contract/paths.ts'
import { getQueryFn } from '#web/api.ts'

/** Who is signed in. No answer at all is not the same as nobody. */
export function useAdmin() {
  const user = useQuery({
    queryKey: [calls.adminUser],
    queryFn: getQueryFn<AdminUser | null>({ on401: 'returnNull' }),
    retry: false,
  })
  return {
    admin: user.data ?? undefined,
    isSignedOut: user.isSuccess && !user.data,
    isUnreachable: user.isError,
    isAsking: user.isFetching,
    askAgain: user.refetch,
  }
}
