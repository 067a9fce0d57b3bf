import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import type { AdminAccount, AdminSession, Invite, OwnAccount } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { callServer, isUnauthorized, refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

// Other browsers and other admins change these too, so they are read again whenever they are shown.
const fresh = { staleTime: 0 }

export function useOwnAccount() {
  return useQuery<OwnAccount>({ queryKey: [apiRoutes.ownAccount], ...fresh })
}

export function useSessions() {
  return useQuery<AdminSession[]>({ queryKey: [apiRoutes.adminSessions], ...fresh })
}

export function useAdmins() {
  return useQuery<AdminAccount[]>({ queryKey: [apiRoutes.admins], ...fresh })
}

export function useInvites() {
  return useQuery<Invite[]>({ queryKey: [apiRoutes.invites], ...fresh })
}

type Call = { method: 'POST' | 'PUT' | 'DELETE'; path: string; body?: object }

type AccountCallOptions<Answer> = {
  /** Lists that look different afterwards. */
  changes: string[]
  onSuccess?: (answer: Answer) => void
  /** False where the form shows the error itself. */
  hasToast?: boolean
}

/** A call that changes accounts. The answer is undefined where the server sends none. */
export function useAccountCall<Answer = undefined>({
  changes,
  onSuccess,
  hasToast = false,
}: AccountCallOptions<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ method, path, body }: Call) => {
      const response = await callServer(method, path, body)
      return (response.status === 204 ? undefined : await response.json()) as Answer
    },
    onSuccess: (answer) => {
      for (const path of changes) void queryClient.invalidateQueries({ queryKey: [path] })
      onSuccess?.(answer)
    },
    onError: (error) => {
      if (!hasToast || isUnauthorized(error)) return
      toast({ title: 'Error', description: describeError(error), variant: 'destructive' })
    },
  })
}

export function describeError(error: Error): string {
  return refusalText(error) ?? 'Unable to connect to server'
}
