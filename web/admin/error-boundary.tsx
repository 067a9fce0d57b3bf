import { Component, type ReactNode } from 'react'

import { Button } from '#web/ui/button.tsx'

import { NoticePage } from './notice-page.tsx'

type ErrorBoundaryProps = { children: ReactNode }

/** A fault of ours, or a page whose code a newer version has replaced: a reload mends both. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <NoticePage
        title="This page did not load"
        description="Something went wrong on our side, or a newer version is ready. Reloading usually helps."
      >
        <Button look="primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </NoticePage>
    )
  }
}
