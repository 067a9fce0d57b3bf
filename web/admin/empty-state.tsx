import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type EmptyStateProps = {
  icon: LucideIcon
  title: string
  description: string
  /** The first step out of the emptiness. */
  children?: ReactNode
}

export function EmptyState({ icon: Icon, title, description, children }: EmptyStateProps) {
  return (
    <section className="mt-8 flex min-h-88 flex-col items-center justify-center rounded-2xl border border-line bg-card px-6 py-12 text-center shadow-rest">
      <BlankReceipt icon={Icon} />
      <h2 className="mt-6 text-lg font-semibold tracking-tight">{title}</h2>
      <p className="mt-1.5 max-w-sm text-sm/6 text-soft">{description}</p>
      {children}
    </section>
  )
}

/** A receipt on which nothing has been printed yet but the page's own sign. */
function BlankReceipt({ icon: Icon }: { icon: LucideIcon }) {
  return (
    <div aria-hidden className="w-24">
      <div className="relative z-10 h-2 rounded-full bg-slot" />
      <div className="torn-edge mx-3 -mt-1 flex h-24 flex-col items-center gap-2 bg-accent-wash pt-6">
        <Icon className="size-6 text-accent" strokeWidth={1.75} />
        <div className="mt-1 h-1 w-10 rounded-full bg-accent/25" />
        <div className="h-1 w-7 rounded-full bg-accent/25" />
      </div>
    </div>
  )
}
