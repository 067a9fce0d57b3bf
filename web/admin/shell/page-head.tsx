import { type ReactNode, useEffect } from 'react'

import { useNewsCount } from '#web/admin/news/news.ts'

/** The id of the layout's main element. */
export const mainId = 'main'

type PageHeadProps = {
  title: string
  subtitle: string
  /** The page's main action. */
  children?: ReactNode
}

export function PageHead({ title, subtitle, children }: PageHeadProps) {
  useDocumentTitle(title)

  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div>
        <h1 className="text-[1.75rem] leading-9 font-semibold tracking-tight">{title}</h1>
        <p className="mt-1 text-[0.9375rem]/6 text-soft">{subtitle}</p>
      </div>
      {children}
    </div>
  )
}

/** '(2) Orders · Till' while two new orders wait to be looked at. */
export function useDocumentTitle(title: string) {
  const newOrders = useNewsCount()
  const prefix = newOrders > 0 ? `(${newOrders}) ` : ''
  useEffect(() => {
    document.title = `${prefix}${title} · Till`
  }, [prefix, title])
}
