import type { ReactNode } from 'react'

import type { PausedPageData } from '#contract/public-pages.ts'
import { Receipt } from '#web/ui/receipt.tsx'

import { listImprint, ShopContact } from './shop-footer.tsx'

const reasons = {
  'Product not found':
    'This product is no longer for sale, or the link is missing a piece. Please ask the shop that sent it to you for a new one.',
  'Order not found':
    'There is no order at this address. Please check the link in your confirmation email for a missing piece.',
}

export type MissingText = keyof typeof reasons

/** In place of the checkout or the thank-you page. */
export function MissingPage({ text }: { text: MissingText }) {
  return <MessagePage title={text} text={reasons[text]} />
}

/** In place of the checkout of a product that is not sold for a while. */
export function PausedPage({ product, shop }: PausedPageData) {
  return (
    <MessagePage
      title="Not for sale right now"
      text={`The shop has paused the sale of ${product}. Please come back later. If you have just paid, your order goes on as usual.`}
    >
      <div className="mt-4 text-sm/6 text-soft">
        <ShopContact shop={shop} />
        <Imprint paragraphs={listImprint(shop)} />
      </div>
    </MessagePage>
  )
}

/** This page has no script, so it opens by itself. */
function Imprint({ paragraphs }: { paragraphs: string[] }) {
  if (paragraphs.length === 0) return null
  return (
    <details className="mt-2">
      <summary className="inline-flex min-h-11 cursor-pointer items-center rounded underline underline-offset-3">
        Imprint
      </summary>
      {paragraphs.map((text, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two may be equal, and none ever moves
        <p key={index} className="mt-2 wrap-anywhere whitespace-pre-line">
          {text}
        </p>
      ))}
    </details>
  )
}

type MessagePageProps = { title: string; text: string; children?: ReactNode }

/** In place of any page that cannot be shown right now. */
export function MessagePage({ title, text, children }: MessagePageProps) {
  return (
    <main className="grid min-h-dvh place-items-center overflow-x-clip p-4">
      <Receipt className="max-w-sm">
        <div className="px-6 pt-6 pb-10 text-center sm:px-8">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          <p className="mt-3 text-sm/6 wrap-anywhere text-soft">{text}</p>
          {children}
        </div>
      </Receipt>
    </main>
  )
}
