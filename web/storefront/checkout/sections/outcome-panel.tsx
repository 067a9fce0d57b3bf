import { useEffect, useRef } from 'react'

import type { ShopFacts } from '#contract/public-pages.ts'
import { Icon } from '#web/storefront/shell/icon.tsx'
import type { Panel } from '#web/storefront/checkout/panels.ts'
import { SecondaryButton } from '#web/storefront/shell/buttons.tsx'
import { ShopContact } from '#web/storefront/shell/shop-footer.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type OutcomePanelProps = {
  panel: Panel
  /** Why the button did not help. */
  note: string | undefined
  /** The button was pressed and its answer is awaited. */
  isBusy: boolean
  shop: ShopFacts
  onTryAgain: () => void
}

/** In place of the form, while no card may follow. */
export function OutcomePanel({ panel, note, isBusy, shop, onTryAgain }: OutcomePanelProps) {
  const { icon, title, paragraphs, button } = panel
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])

  return (
    <div
      aria-live="polite"
      className="animate-appear rounded-2xl border border-line bg-well px-6 py-8 shadow-rest sm:px-8"
    >
      <div className="mb-4 grid size-12 place-items-center rounded-full bg-accent-wash text-accent">
        {icon ? <Icon name={icon} className="size-6" /> : <Spinner />}
      </div>
      <h2
        ref={heading}
        tabIndex={-1}
        className="scroll-mt-28 text-2xl font-semibold tracking-tight outline-none"
      >
        {title}
      </h2>
      <div className="mt-3 space-y-4 text-[0.9375rem]/6 text-soft">
        {paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {button && (
          <SecondaryButton isBusy={isBusy} onClick={onTryAgain}>
            {button}
          </SecondaryButton>
        )}
        {note && <p className="font-medium text-ink">{note}</p>}
        {icon && <ShopContact shop={shop} />}
      </div>
    </div>
  )
}
