import type { ReactNode } from 'react'

type SectionProps = { id: string; title: string; aside?: ReactNode; children: ReactNode }

export function Section({ id, title, aside, children }: SectionProps) {
  const headingId = `${id}-heading`

  return (
    <section aria-labelledby={headingId} className="mt-10 first:mt-0">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={headingId} className="text-xl font-semibold tracking-tight">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
