import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'

import type { AdminUser, Login } from '#contract/admin.ts'
import { adminOrderPath, apiRoutes, inviteFragment, pages } from '#contract/paths.ts'
import { useAccountCall } from '#web/admin/account/account-calls.ts'
import { AccountForm, passwordHint } from '#web/admin/account/account-form.tsx'
import { findReturnAddress } from '#web/admin/session/kept-drafts.ts'
import type { LoginState } from '#web/admin/session/session.ts'
import { useDocumentTitle } from '#web/admin/shell/page-head.tsx'
import { callServer, ApiError, refusalCode, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PasswordField, TextField } from '#web/ui/fields.tsx'
import { Barcode, Perforation, Receipt } from '#web/ui/receipt.tsx'
import { toast } from '#web/ui/use-toast.ts'

export function LoginPage() {
  const inviteToken = useInviteToken()
  const { isPending, refusal } = useInviteCheck(inviteToken)
  // Set once the invitation was accepted.
  const [newUsername, setNewUsername] = useState('')
  const token = newUsername || refusal ? undefined : inviteToken
  useDocumentTitle(token ? 'Join the shop' : 'Admin login')

  return (
    <main className="grid min-h-dvh place-items-center overflow-x-clip p-4">
      <Receipt className="max-w-md">
        <div className="px-6 pt-6 pb-8 sm:px-8">
          <Logo />
          {token ? (
            <InvitedPerson
              key={token}
              token={token}
              isChecking={isPending}
              onAccepted={setNewUsername}
            />
          ) : (
            <>
              <h1 className="mt-6 text-2xl font-semibold tracking-tight">Admin login</h1>
              <p className="mt-1 mb-7 text-[0.9375rem] text-soft">
                Log in to manage your products and orders.
              </p>
              <UnreachableNotice />
              {refusal && !newUsername && (
                <Notice look="warning" role="alert" className="mb-5">
                  {refusal}
                </Notice>
              )}
              <LoginForm key={newUsername} firstUsername={newUsername} />
            </>
          )}
        </div>
        <Perforation />
        <div className="px-6 pt-6 pb-7 sm:px-8">
          <Barcode />
          <p className="mt-4 text-center text-[0.8125rem] text-muted">
            Password lost? Run <code className="font-mono text-soft">npm run admin</code> on the
            server.
          </p>
        </div>
      </Receipt>
    </main>
  )
}

/**
 * The token of an invitation that led here. It leaves the address at once, so that neither the history nor a bookmark
 * keeps it.
 */
function useInviteToken(): string | undefined {
  const [token, setToken] = useState(findInviteToken)
  useEffect(() => {
    const takeToken = () => {
      const found = findInviteToken()
      if (!found) return
      setToken(found)
      history.replaceState(history.state, '', location.pathname + location.search)
    }
    takeToken()
    addEventListener('hashchange', takeToken)
    return () => removeEventListener('hashchange', takeToken)
  }, [])
  return token
}

function findInviteToken(): string | undefined {
  const { hash } = location
  return hash.startsWith(inviteFragment) ? hash.slice(inviteFragment.length) : undefined
}

/** Nobody types a name and a password for an invitation that was used already. */
function useInviteCheck(token: string | undefined) {
  const { error, isPending } = useQuery({
    queryKey: [apiRoutes.checkInvite, token],
    queryFn: async () => (await callServer('POST', apiRoutes.checkInvite, { token })).json(),
    enabled: token !== undefined,
    retry: false,
    staleTime: Infinity,
  })
  // After any other fault the form is shown: accepting checks again.
  const isMissing = refusalCode(error) === 'invite-missing'
  return { isPending, refusal: isMissing && error ? refusalText(error) : undefined }
}

type InvitedPersonProps = {
  token: string
  isChecking: boolean
  onAccepted: (username: string) => void
}

function InvitedPerson({ token, isChecking, onAccepted }: InvitedPersonProps) {
  const call = useAccountCall<AdminUser>({
    changes: [],
    onSuccess: ({ username }) => {
      toast({ title: 'Welcome', description: 'Log in with the password that you have chosen.' })
      onAccepted(username)
    },
  })

  return (
    <>
      <h1 className="mt-6 text-2xl font-semibold tracking-tight">Join the shop</h1>
      <p className="mt-1 mb-7 text-[0.9375rem] text-soft">
        You are invited to run this shop. Choose how you log in.
      </p>
      {isChecking ? (
        <Skeleton className="h-56 w-full" />
      ) : (
        <AccountForm
          name="joining"
          fields={[
            { name: 'username', label: 'Username', kind: 'username' },
            { name: 'password', label: 'Password', kind: 'new-password', hint: passwordHint },
          ]}
          submitLabel={call.isPending ? 'Joining...' : 'Join'}
          isPending={call.isPending}
          error={call.error}
          onSubmit={(values) =>
            call.mutate({
              method: 'POST',
              path: apiRoutes.acceptInvite,
              body: { ...values, token },
            })
          }
        />
      )}
    </>
  )
}

/** Someone redirected here because the server did not answer may still be signed in. */
function UnreachableNotice() {
  const path = useHistoryState<LoginState>()?.unreachablePath
  if (!path) return null
  return (
    <Notice look="warning" className="mb-5">
      Your shop did not answer. The server may be starting, or your connection may be down.{' '}
      <Link href={path} className="font-medium underline underline-offset-4">
        Try again
      </Link>
    </Notice>
  )
}

function LoginForm({ firstUsername }: { firstUsername: string }) {
  const login = useLogin()
  const [username, setUsername] = useState(firstUsername)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [isCodeSubmitted, setIsCodeSubmitted] = useState(false)
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const codeInput = useRef<HTMLInputElement>(null)
  const isSending = useRef(false)

  const isCodeAsked = useIsCodeAsked(login.error)
  const isCodeMissing = isCodeAsked && code.trim() === ''
  const isUsernameMissing = username.trim() === ''
  const isPasswordMissing = password === ''

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsSubmitted(true)
    setIsCodeSubmitted(isCodeAsked)
    if (isUsernameMissing) return usernameInput.current?.focus()
    if (isPasswordMissing) return passwordInput.current?.focus()
    if (isCodeMissing) return codeInput.current?.focus()
    if (isSending.current) return
    isSending.current = true
    login.mutate(
      { username, password, ...(isCodeAsked && { code }) },
      { onSettled: () => (isSending.current = false) },
    )
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
        error={isSubmitted && isUsernameMissing ? 'Username is required' : undefined}
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
        error={isSubmitted && isPasswordMissing ? 'Password is required' : undefined}
      />
      {isCodeAsked && (
        <TextField
          label="Code"
          hint="From your authenticator app, or a recovery code."
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="done"
          required
          // It appears as the answer to 'Login', and is what has to be typed next.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          ref={codeInput}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          error={isCodeSubmitted && isCodeMissing ? 'Code is required' : undefined}
        />
      )}
      <Button type="submit" look="primary" size="large" isPending={login.isPending}>
        {login.isPending ? 'Logging in...' : 'Login'}
      </Button>
    </form>
  )
}

function isCodeNeeded(error: Error | null): boolean {
  return refusalCode(error) === 'second-factor-needed'
}

/** From the first time that the server asks for a code, also after a wrong one. */
function useIsCodeAsked(error: Error | null): boolean {
  const [isAsked, setIsAsked] = useState(false)
  if (!isAsked && isCodeNeeded(error)) setIsAsked(true)
  return isAsked
}

/** Leads to the products, or to where something typed was kept when the session ended. */
function useLogin() {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()

  return useMutation({
    mutationFn: async (login: Login) => {
      const answer = await callServer('POST', apiRoutes.adminLogin, login)
      return (await answer.json().catch(() => ({}))) as Partial<AdminUser>
    },
    onSuccess: ({ email }) => {
      // The cache says that nobody is signed in, and may hold what an earlier admin loaded.
      queryClient.clear()
      toast({ title: 'Login successful', description: 'Welcome to the admin panel' })
      const { orderId } = (history.state as LoginState) ?? {}
      const wanted = orderId ? adminOrderPath(orderId) : pages.products
      navigate(findReturnAddress(email) ?? wanted)
    },
    onError: (error) => {
      if (!isCodeNeeded(error)) toast({ ...describeLoginError(error), variant: 'destructive' })
    },
  })
}

function describeLoginError(error: Error) {
  return error instanceof ApiError
    ? { title: 'Login failed', description: refusalText(error) ?? 'Invalid credentials' }
    : { title: 'Login error', description: 'Unable to connect to server' }
}
