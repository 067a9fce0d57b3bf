import { type LucideIcon, ServerCrash } from 'lucide-react'
import type { ReactNode } from 'react'

import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The shape of a page before its content: head, then one wide card. */
export function PageSkeleton() {
  return (
    <div>
      <h1 aria-live="polite" className="sr-only">
        Loading...
      </h1>
      <div className="h-16 pt-1">
        <Skeleton className="h-7 w-40" />
        <Skeleton className="mt-3 h-4 w-72 max-w-full" />
      </div>
      <div className="mt-8 h-88 animate-appear-late rounded-2xl border border-line bg-card" />
    </div>
  )
}

type EmptyStateProps = {
  icon: LucideIcon
  title: string
  description: string
  /** What the admin can do next. */
  children?: ReactNode
}

/** Its title is no heading: the page's own, which it often repeats, is the only one. */
export function EmptyState({ icon: Icon, title, description, children }: EmptyStateProps) {
  return (
    <section className="mt-8 flex min-h-88 flex-col items-center justify-center rounded-2xl border border-line bg-card px-6 py-12 text-center shadow-rest">
      <div aria-hidden className="w-24">
        <div className="relative z-10 h-2 rounded-full bg-slot" />
        <div className="torn-edge mx-3 -mt-1 flex h-24 flex-col items-center gap-2 bg-accent-wash pt-6">
          <Icon className="size-6 text-accent" strokeWidth={1.75} />
          <div className="mt-1 h-1 w-10 rounded-full bg-accent/25" />
          <div className="h-1 w-7 rounded-full bg-accent/25" />
        </div>
      </div>
      <p className="mt-6 text-lg font-semibold tracking-tight">{title}</p>
      <p className="mt-1.5 max-w-sm text-sm/6 text-soft">{description}</p>
      {children}
    </section>
  )
}

type LoadErrorProps = {
  /** A plural noun: 'orders'. */
  what: string
  isRetrying: boolean
  onRetry: () => void
}

export function LoadError({ what, isRetrying, onRetry }: LoadErrorProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={ServerCrash}
        title={`Your ${what} could not be loaded`}
        description="The server may be starting, or your connection may be down. Nothing is lost."
      >
        <Button isPending={isRetrying} onClick={onRetry} className="mt-6">
          {isRetrying ? 'Trying...' : 'Try again'}
        </Button>
      </EmptyState>
    </div>
  )
}
