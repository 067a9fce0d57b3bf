import { type ReactNode, useId } from 'react'

import type { AdminOrder } from '#contract/orders.ts'
import { CopyButton } from '#web/admin/orders/order-display.tsx'
import { noValue } from '#web/admin/orders/order-text.ts'

/** What the sections of the order panel are made of. */

export type OrderProps = { order: AdminOrder }

export const link =
  'underline decoration-line-strong underline-offset-4 transition-colors hover:decoration-current'

type SectionProps = { title: string; action?: ReactNode; className?: string; children: ReactNode }

export function Section({ title, action, className = '', children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`min-w-0 text-sm/6 ${className}`}>
      <div className="mb-1 flex items-center justify-between">
        <h3 id={id} className="text-xs font-medium text-muted">
          {title}
        </h3>
        {action}
      </div>
      {children}
    </section>
  )
}

export function CopyableFact({ name, text }: { name: string; text: string | null }) {
  return (
    <Fact name={name}>
      {text ? (
        <span className="flex items-center gap-1">
          <bdi className="truncate font-mono text-[0.8125rem]">{text}</bdi>
          <CopyButton text={text} name={`Copy ${name}`} className="-my-2" />
        </span>
      ) : (
        noValue
      )}
    </Fact>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
