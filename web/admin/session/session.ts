import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

import type { AdminUser, Notice } from '#contract/admin.ts'
import { apiRoutes, pages, pathOf } from '#contract/paths.ts'
import { checkRead } from '#web/admin/answers.ts'
import { callServer, forgetReads, getQueryFn, isUnauthorized, refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { forgetDrafts, keepOpenForms } from './kept-drafts.ts'

const userQuery = {
  queryKey: [apiRoutes.adminUser],
  queryFn: getQueryFn<AdminUser | null>({ on401: 'returnNull' }),
  retry: false,
  // It may have failed before the page was rendered.
  retryOnMount: false,
}
const noticesQuery = {
  queryKey: [apiRoutes.notices],
  queryFn: getQueryFn<Notice[] | null>({ on401: 'returnNull', check: checkRead }),
}

/** What every page of the back-office waits for. */
export async function prefetchSession(queryClient: QueryClient): Promise<void> {
  await Promise.all([queryClient.prefetchQuery(userQuery), queryClient.prefetchQuery(noticesQuery)])
}

/** A back-office that is left without having known its admin asks again when somebody comes back. */
export function useForgottenSession(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    return () => {
      const { status, data } = queryClient.getQueryState(userQuery.queryKey) ?? {}
      const isUnknown = status === 'error' && data === undefined
      if (isUnknown) queryClient.removeQueries({ queryKey: userQuery.queryKey })
    }
  }, [queryClient])
}

/**
 * The signed-in admin and the notices about their shop. Both load at once and show together: a notice that came
 * later would push the page down. Without an answer nobody is signed in.
 */
export function useAdmin() {
  const user = useQuery(userQuery)
  const notices = useQuery(noticesQuery)
  return {
    admin: notices.isPending ? undefined : (user.data ?? undefined),
    // If only the notices fail to load, the page works without them.
    notices: notices.data ?? [],
    isSignedOut: !user.isPending && !user.data,
    isUnreachable: user.isError,
  }
}

export function useDismissNotice({ kind, since }: Pick<Notice, 'kind' | 'since'>) {
  const { act, isPending } = useActOnNotice(
    () => callServer('POST', pathOf(apiRoutes.noticeDismiss, { kind }), { since }),
    'The notice is still there',
  )
  return { dismiss: act, isPending }
}

/** The owner's word after a restore, which ends the wait of products whose pieces are counted. */
export function useSellCounted() {
  const { act, isPending } = useActOnNotice(
    () => callServer('POST', apiRoutes.sellCounted),
    'The products still wait',
  )
  return { sell: act, isPending }
}

/** The server decides what a notice says next. `failed`: what is told if it does not hear of it. */
function useActOnNotice(mutationFn: () => Promise<unknown>, failed: string) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [apiRoutes.notices] }),
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = refusalText(error) ?? 'Unable to connect to server'
      toast({ title: failed, description, variant: 'destructive' })
    },
  })
  return { act: () => mutate(), isPending }
}

/** Folds away what the person has read, at once; the server remembers it for them. What was folded before stays so. */
export function useFoldNotices(notices: Notice[]): (read: Notice[]) => void {
  const queryClient = useQueryClient()
  const queryKey = [apiRoutes.notices]
  const { mutate } = useMutation({
    mutationFn: (ids: string[]) => callServer('POST', apiRoutes.noticesFold, { ids }),
    onMutate: async (ids) => {
      // An answer that is under way does not know of it.
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<Notice[]>(queryKey, (listed) =>
        listed?.map((notice) => ({ ...notice, isFolded: ids.includes(notice.id) })),
      )
    },
    // If it fails they stay folded until the page is left: the person has read them.
  })
  return (read) =>
    mutate(notices.filter((one) => one.isFolded || read.includes(one)).map(({ id }) => id))
}

export function useLogout() {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()

  return useMutation({
    mutationFn: () => callServer('POST', apiRoutes.adminLogout),
    onSuccess: () => {
      navigate(pages.login)
      // The next admin must not see what was loaded for this one, or typed by them.
      queryClient.clear()
      forgetReads()
      forgetDrafts()
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

/** Long enough to read why the page is about to change. */
const redirectDelayMs = 500

const texts = {
  entry: 'Please log in to access the admin panel',
  loggedOut: 'You are logged out. Logging in again...',
}

/** Redirects to the login page if the session has expired. Returns whether that was the error. */
export function handleUnauthorized(error: Error): boolean {
  if (!isUnauthorized(error)) return false
  redirectToLogin(texts.loggedOut)
  return true
}

/** For a page opened without a session, or without an answer about it. */
export function redirectSignedOut(path: string, isUnreachable: boolean) {
  const orderId = new URLSearchParams(location.search).get('order')
  const state: LoginState = {
    ...(isUnreachable && { unreachablePath: path }),
    ...(path === pages.orders && orderId && { orderId }),
  }
  redirectToLogin(path === pages.home ? texts.entry : texts.loggedOut, state)
}

/** History state of the login page: which page could not reach the server, and which order was asked for, if any. */
export type LoginState = { unreachablePath?: string; orderId?: string } | null

let isRedirecting = false

/** Several calls may fail together, and effects may run twice: one toast and one redirect. */
function redirectToLogin(description: string, state: LoginState = null) {
  if (isRedirecting || location.pathname === pages.login) return
  isRedirecting = true
  toast({ title: 'Unauthorized', description, variant: 'destructive' })
  setTimeout(() => {
    isRedirecting = false
    keepOpenForms()
    navigate(pages.login, { replace: true, state })
  }, redirectDelayMs)
}
