import type { ReactNode } from 'react'

import { Icon } from './icon.tsx'
import { pageTexts } from './page-texts.ts'

type DialogFrameProps = { id: string; title: string; children: ReactNode }

/** A dialog of static HTML, in the template of this id: enhance.ts adds it to the page when it is opened. */
export function DialogFrame({ id, title, children }: DialogFrameProps) {
  return (
    <dialog
      aria-labelledby={`${id}-title`}
      className="m-auto w-[calc(100%-2rem)] max-w-md animate-rise rounded-2xl bg-card text-ink shadow-lifted backdrop:bg-veil"
    >
      <div className="p-6 sm:p-8">
        <h2 id={`${id}-title`} className="pe-10 text-xl font-semibold tracking-tight">
          {title}
        </h2>
        {children}
        <form method="dialog">
          <button className="absolute end-3 top-3 grid size-11 place-items-center rounded-lg text-muted hover:bg-ink/6 hover:text-ink">
            <Icon name="cross" className="size-5" />
            <span className="sr-only">{pageTexts().footer.close}</span>
          </button>
        </form>
      </div>
    </dialog>
  )
}
