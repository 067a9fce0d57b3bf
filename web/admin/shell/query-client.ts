import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { apiRoutes } from '#contract/paths.ts'
import { handleUnauthorized } from '#web/admin/session/session.ts'
import { getQueryFn } from '#web/api.ts'

/**
 * An expired session is handled here, once, for every query and mutation. A mutation with its own onError
 * starts it with `if (isUnauthorized(error)) return`, so that its toast does not cover this one.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleUnauthorized }),
  mutationCache: new MutationCache({
    onError: handleUnauthorized,
    // Any change may be the one that the set-up waited for.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: [apiRoutes.setup] }),
  }),
  defaultOptions: {
    queries: {
      queryFn: getQueryFn({ on401: 'throw' }),
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
