import { useEffect, useState } from 'react'

import { Dialog } from '#web/ui/dialog.tsx'

import { LoginForm } from './login-page.tsx'
import { signInHere } from './session.ts'

/** Around an open form: if the session ends, its owner logs in again right here, and nothing typed is lost. */
export function SignInWhenExpired() {
  const [isAsking, setIsAsking] = useState(false)
  useEffect(() => signInHere(() => setIsAsking(true)), [])
  if (!isAsking) return null

  return (
    <Dialog
      title="Log in again"
      description="Your session has ended. What you typed is still here: log in, then save it."
      onClose={() => setIsAsking(false)}
      className="max-w-md"
    >
      <LoginForm onLoggedIn={() => setIsAsking(false)} />
    </Dialog>
  )
}
