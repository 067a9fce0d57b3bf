import { Dialog } from '#web/ui/dialog.tsx'

import { LoginForm } from './login-page.tsx'
import { useSignInHere } from './session.ts'

/** Beside an open form: if the session ends, its owner logs in again right here, and nothing typed is lost. */
export function SignInWhenExpired() {
  const { isAsking, stopAsking } = useSignInHere()
  if (!isAsking) return null

  return (
    <Dialog
      title="Log in again"
      description="Your session has ended. What you typed is still here: log in, then save it."
      onClose={stopAsking}
      className="max-w-md"
    >
      <LoginForm onLoggedIn={stopAsking} />
    </Dialog>
  )
}
