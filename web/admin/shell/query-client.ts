import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { apiRoutes } from '#contract/paths.ts'
import { checkRead } from '#web/admin/answers.ts'
import { handleUnauthorized } from '#web/admin/session/session.ts'
import { callServer, getQueryFn, isUnauthorized } from '#web/api.ts'

/** The reads of the specification, besides that of the admin. */
const specifiedReads: readonly unknown[] = [
  apiRoutes.products,
  apiRoutes.customDomain,
  apiRoutes.orders,
  apiRoutes.analyticsEvents,
]

/**
 * An expired session is handled here, once, for every query and mutation. A mutation with its own onError
 * starts it with `if (isUnauthorized(error)) return`, so that its toast does not cover this one.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (specifiedReads.includes(queryKey[0])) handleUnauthorized(error)
      else if (isUnauthorized(error)) void checkSession()
    },
  }),
  mutationCache: new MutationCache({
    onError: handleUnauthorized,
    // Any change may be the one that the set-up waited for.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: [apiRoutes.setup] }),
  }),
  defaultOptions: {
    queries: {
      queryFn: getQueryFn({ on401: 'throw', check: checkRead }),
      retry: false,
      refetchOnWindowFocus: false,
      refetchInterval: false,
      staleTime: Infinity,
      // Offline calls fail at once with a message instead of waiting for a network.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** A read of our own was refused. Whether anybody is signed in says the call for the admin alone. */
async function checkSession(): Promise<void> {
  try {
    await callServer('GET', apiRoutes.adminUser)
  } catch (error) {
    if (error instanceof Error) handleUnauthorized(error)
  }
}
