import type { ShopFacts } from '#contract/public-pages.ts'
import { Icon } from '#web/storefront/checkout/icon.tsx'

import { type FooterEntry, footerEntries } from './policies.ts'

const linkLook =
  'inline-flex min-h-11 items-center rounded text-[0.8125rem] text-soft underline decoration-line-strong underline-offset-3 hover:text-ink'

/** The small print. Nothing here leads away from the page: a new tab, a mail, or a dialog. */
export function ShopFooter({ shop }: { shop: ShopFacts }) {
  return (
    <footer className="border-t border-line print:hidden">
      <ul className="flex flex-wrap gap-x-5 py-3">
        {footerEntries(shop).map((entry) => (
          <li key={entry.id}>
            <FooterLink entry={entry} />
          </li>
        ))}
      </ul>
    </footer>
  )
}

function FooterLink({ entry }: { entry: FooterEntry }) {
  const { id, title, address } = entry
  if (!address) {
    return (
      <>
        <button type="button" aria-haspopup="dialog" data-opens={id} className={linkLook}>
          {title}
        </button>
        {/* Not part of the page until it is asked for. */}
        <template id={id}>
          <TextDialog {...entry} />
        </template>
      </>
    )
  }
  const isMail = address.startsWith('mailto:')
  return (
    <a
      href={address}
      {...(!isMail && { target: '_blank', rel: 'noopener noreferrer' })}
      className={linkLook}
    >
      {title}
      {!isMail && <span className="sr-only"> (opens in a new tab)</span>}
    </a>
  )
}

/** The browser's own dialog: it keeps the focus inside, closes on Esc and gives the focus back. */
function TextDialog({ id, title, paragraphs }: FooterEntry) {
  return (
    <dialog
      aria-labelledby={`${id}-title`}
      className="m-auto w-[calc(100%-2rem)] max-w-md animate-rise rounded-2xl bg-card text-ink shadow-lifted backdrop:bg-veil"
    >
      <div className="p-6 sm:p-8">
        <h2 id={`${id}-title`} className="pe-10 text-xl font-semibold tracking-tight">
          {title}
        </h2>
        {paragraphs.map((text) => (
          <p key={text} className="mt-3 text-[0.9375rem]/6 wrap-anywhere text-soft">
            {text}
          </p>
        ))}
        <form method="dialog">
          <button className="absolute end-3 top-3 grid size-11 place-items-center rounded-lg text-muted hover:bg-ink/6 hover:text-ink">
            <Icon name="cross" className="size-5" />
            <span className="sr-only">Close</span>
          </button>
        </form>
      </div>
    </dialog>
  )
}
