import { type ReactNode, useId } from 'react'

import { Definition } from './definition.tsx'

export const panelLook = 'rounded-2xl border border-line bg-card shadow-rest'
export const panelPadding = 'px-5 pt-3.5 pb-5 @3xl:px-6 @3xl:pt-4 @3xl:pb-6'

type PanelProps = {
  title: string
  /** What is counted here. */
  definition: string
  /** Stands at the end of the title's line. */
  aside?: ReactNode
  children: ReactNode
}

export function Panel({ title, definition, aside, children }: PanelProps) {
  const id = useId()

  return (
    <section aria-labelledby={id} className={`flex flex-col ${panelLook} ${panelPadding}`}>
      <header className="flex min-h-9 items-center gap-1">
        <h2 id={id} className="text-[0.9375rem] font-semibold tracking-tight">
          {title}
        </h2>
        <Definition of={title} text={definition} />
        {aside && <div className="ms-auto">{aside}</div>}
      </header>
      {children}
    </section>
  )
}
