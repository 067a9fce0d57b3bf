import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'

import type { Login } from '#contract/admin.ts'
import { apiRoutes, pages } from '#contract/paths.ts'
import { callServer, ApiError, refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

export function useLogin() {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()

  return useMutation({
    mutationFn: (login: Login) => callServer('POST', apiRoutes.adminLogin, login),
    onSuccess: () => {
      // What an earlier visitor read, and that nobody was signed in, is no longer true.
      queryClient.clear()
      toast({ title: 'Login successful', description: 'Welcome to the admin panel' })
      navigate(pages.products)
    },
    onError: (error) => toast({ ...loginFailure(error), variant: 'destructive' }),
  })
}

/** A no from the server, or no server at all. */
export function loginFailure(error: Error) {
  return error instanceof ApiError
    ? { title: 'Login failed', description: refusalText(error) ?? 'Invalid credentials' }
    : { title: 'Login error', description: 'Unable to connect to server' }
}
