import { Component, type ReactNode } from 'react'

import { Button } from '#web/ui/button.tsx'
import { LogoMark } from '#web/ui/logo.tsx'

import { useDocumentTitle } from './page-head.tsx'

type ErrorBoundaryProps = { children: ReactNode }

/** Catches bugs, and pages whose code was lost with the network or replaced by a newer version. A reload fixes all. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? <ErrorPage /> : this.props.children
  }
}

function ErrorPage() {
  const title = 'This page did not load'
  useDocumentTitle(title)

  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div role="alert" className="flex max-w-sm animate-appear flex-col items-center text-center">
        <LogoMark className="size-10" />
        <h1 className="mt-6 text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-2 mb-6 text-[0.9375rem] leading-6 text-soft">
          The connection was lost, something went wrong on our side, or a newer version is ready.
          Reloading usually helps.
        </p>
        <Button look="primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </div>
    </main>
  )
}
