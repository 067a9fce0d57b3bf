import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { getQueryFn } from '#web/api.ts'

import { handleUnauthorized } from './unauthorized.ts'

/**
 * Signed out is handled here, once, for every read and every change. A mutation with an onError of
 * its own begins it with `if (isUnauthorized(error)) return`, so that its toast does not cover ours.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleUnauthorized }),
  mutationCache: new MutationCache({ onError: handleUnauthorized }),
  defaultOptions: {
    queries: {
      queryFn: getQueryFn({ on401: 'throw' }),
      retry: false,
      refetchOnWindowFocus: false,
      refetchInterval: false,
      staleTime: Infinity,
      // Without a network a call fails at once and says so, instead of waiting for one.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
