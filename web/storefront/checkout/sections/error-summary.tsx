import { useEffect, useRef } from 'react'

import type { Problems } from '#web/storefront/checkout/problems.ts'

type ErrorSummaryProps = { problems: Problems; tries: number }

/** All that keeps Pay now from paying, each a way to its field. It takes the focus each time. */
export function ErrorSummary({ problems, tries }: ErrorSummaryProps) {
  const summary = useRef<HTMLElement>(null)
  useEffect(() => {
    if (tries > 0) summary.current?.focus()
  }, [tries])
  const entries = Object.entries(problems)
  if (entries.length === 0) return null

  return (
    <section
      ref={summary}
      tabIndex={-1}
      aria-labelledby="error-summary-title"
      className="mb-8 scroll-mt-28 rounded-xl border-2 border-danger bg-danger-wash px-5 py-4"
    >
      <h2 id="error-summary-title" className="text-lg font-semibold tracking-tight">
        There is a problem
      </h2>
      <ul className="mt-1.5">
        {entries.map(([id, text]) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(id)?.focus()
              }}
              className="inline-block py-1.5 text-[0.9375rem] font-medium text-danger underline underline-offset-2 pointer-coarse:py-2.5"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
