import type { ReactNode } from 'react'

import { LogoMark } from '#web/ui/logo.tsx'

import { useDocumentTitle } from './use-document-title.ts'

type NoticePageProps = {
  title: string
  description: string
  /** The way on. */
  children: ReactNode
}

/** A full page for when there is nothing else to show. */
export function NoticePage({ title, description, children }: NoticePageProps) {
  useDocumentTitle(title)

  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div role="alert" className="flex max-w-sm animate-appear flex-col items-center text-center">
        <LogoMark className="size-10" />
        <h1 className="mt-6 text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-2 mb-6 text-[0.9375rem] leading-6 text-soft">{description}</p>
        {children}
      </div>
    </main>
  )
}
