import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'

import { apiRoutes, pages } from '#contract/paths.ts'
import { callServer, isUnauthorized, refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

/** Whatever was read for one admin is forgotten before the next one signs in. */
export function useLogout() {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()

  return useMutation({
    mutationFn: () => callServer('POST', apiRoutes.adminLogout),
    onSuccess: () => {
      navigate(pages.login)
      queryClient.clear()
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        title: 'You are still logged in',
        description: refusalText(error) ?? 'Unable to connect to server',
        variant: 'destructive',
      })
    },
  })
}
