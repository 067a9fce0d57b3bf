import type { ReactNode } from 'react'

type FormSectionProps = { title: string; children: ReactNode }

/** One group of a form's fields, under its heading. */
export function FormSection({ title, children }: FormSectionProps) {
  return (
    <fieldset className="min-w-0 py-7 first:pt-0 last:pb-0">
      {/* Floating takes the legend off the frame and into the padding, where a heading stands. */}
      <legend className="float-start w-full font-semibold tracking-tight">{title}</legend>
      <div className="clear-both flex flex-col gap-5 pt-4">{children}</div>
    </fieldset>
  )
}
