import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'

import { Logo } from '#web/ui/logo.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Barcode, Perforation, Receipt } from '#web/ui/receipt.tsx'

import { LoginForm } from './login-form.tsx'
import type { LoginState } from './unauthorized.ts'
import { useDocumentTitle } from './use-document-title.ts'

export function LoginPage() {
  useDocumentTitle('Admin login')

  return (
    <main className="grid min-h-dvh place-items-center overflow-x-clip p-4">
      <Receipt className="max-w-md">
        <div className="px-6 pt-6 pb-8 sm:px-8">
          <Logo />
          <h1 className="mt-6 text-2xl font-semibold tracking-tight">Admin login</h1>
          <p className="mt-1 mb-7 text-[0.9375rem] text-soft">
            Log in to manage your products and orders.
          </p>
          <UnreachableNotice />
          <LoginForm />
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

/** Whoever was led here because the shop did not answer may still be signed in. */
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
