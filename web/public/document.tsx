import type { ReactNode } from 'react'

import favicon from '#web/ui/favicon.svg'

type DocumentProps = { title: string; stylesheet: string; children: ReactNode }

/** The HTML around a page of the public. No script, no inline style: the content policy allows neither. */
export function Document({ title, stylesheet, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" type="image/svg+xml" href={favicon} />
        <link rel="stylesheet" href={stylesheet} />
      </head>
      <body>{children}</body>
    </html>
  )
}
