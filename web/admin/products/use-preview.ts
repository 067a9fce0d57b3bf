import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { callServer } from '#web/api.ts'

/** What the server makes of an unsaved product, which is given as JSON. */
export function usePreview<Answer>(route: string, draft: string) {
  return useQuery({
    queryKey: [route, draft],
    queryFn: async ({ signal }) => {
      const body: unknown = JSON.parse(draft)
      const response = await callServer('POST', route, body, signal)
      return (await response.json()) as Answer
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
}
