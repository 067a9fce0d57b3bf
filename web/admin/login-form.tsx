import { CircleAlert } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'

import { Button } from '#web/ui/button.tsx'
import { PasswordField, TextField } from '#web/ui/fields.tsx'

import { loginFailure, useLogin } from './use-login.ts'

export function LoginForm() {
  const login = useLogin()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [hasTried, setHasTried] = useState(false)
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const isSending = useRef(false)

  const isUsernameMissing = username.trim() === ''
  const isPasswordMissing = password === ''

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setHasTried(true)
    if (isUsernameMissing) return usernameInput.current?.focus()
    if (isPasswordMissing) return passwordInput.current?.focus()
    if (isSending.current) return
    isSending.current = true
    login.mutate({ username, password }, { onSettled: () => (isSending.current = false) })
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="next"
        required
        ref={usernameInput}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={hasTried && isUsernameMissing ? 'Username is required' : undefined}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        enterKeyHint="done"
        required
        ref={passwordInput}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={hasTried && isPasswordMissing ? 'Password is required' : undefined}
      />
      {login.isError && <LoginAlert error={login.error} />}
      <Button type="submit" look="primary" size="large" isPending={login.isPending}>
        {login.isPending ? 'Logging in...' : 'Login'}
      </Button>
    </form>
  )
}

function LoginAlert({ error }: { error: Error }) {
  const { title, description } = loginFailure(error)
  return (
    <div
      role="alert"
      className="flex animate-appear gap-2.5 rounded-lg border border-danger-line bg-danger-wash px-3.5 py-3 text-sm"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <p>
        <span className="font-semibold text-danger">{title}.</span> {description}
      </p>
    </div>
  )
}
