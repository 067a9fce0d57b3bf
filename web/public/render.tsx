import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

import { Document } from './document.tsx'
import { NotFoundPage } from './not-found-page.tsx'

type Assets = {
  /** The address of the built public.css, found in the manifest of the client build. */
  stylesheet: string
}

export function renderNotFound({ stylesheet }: Assets): string {
  return showDocument(
    <Document title="Page Not Found · Till" stylesheet={stylesheet}>
      <NotFoundPage />
    </Document>,
  )
}

function showDocument(document: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(document)}`
}
