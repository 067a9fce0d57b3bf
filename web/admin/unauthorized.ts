import { navigate } from 'wouter/use-browser-location'

import { pages } from '#contract/paths.ts'
import { isUnauthorized } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

/** Long enough to read why the page is about to change. */
const redirectDelayMs = 500

const texts = {
  entry: 'Please log in to access the admin panel',
  loggedOut: 'You are logged out. Logging in again...',
}

let isLeaving = false

/** Sends whoever is no longer signed in to the login page, and says whether that was the trouble. */
export function handleUnauthorized(error: Error): boolean {
  if (!isUnauthorized(error)) return false
  leaveForLogin(texts.loggedOut)
  return true
}

/** For a page opened by someone who is not signed in, as far as could be found out. */
export function turnAwayFrom(path: string, isUnreachable: boolean) {
  const state = isUnreachable ? { unreachablePath: path } : null
  leaveForLogin(path === pages.home ? texts.entry : texts.loggedOut, state)
}

/** What the login page knows of the way there: which page the shop did not answer for, if so. */
export type LoginState = { unreachablePath?: string } | null

/** Several calls may fail together, and effects may run twice: one toast and one way out. */
function leaveForLogin(description: string, state: LoginState = null) {
  if (isLeaving || location.pathname === pages.login) return
  isLeaving = true
  toast({ title: 'Unauthorized', description, variant: 'destructive' })
  setTimeout(() => {
    isLeaving = false
    navigate(pages.login, { replace: true, state })
  }, redirectDelayMs)
}
