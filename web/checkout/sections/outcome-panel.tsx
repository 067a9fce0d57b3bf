import { type ReactNode, useEffect, useRef } from 'react'

import type { ShopFacts } from '#contract/public-pages.ts'
import type { PanelKind } from '#web/checkout/payment-state.ts'
import { ShopContact } from '#web/checkout/shop-contact.tsx'
import { PlainButton } from '#web/checkout/plain-button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Icon } from '#web/checkout/icon.tsx'

type OutcomePanelProps = { kind: PanelKind; shop: ShopFacts; onTryAgain: () => void }

/** In place of the form, once a card has left and no other may follow it. */
export function OutcomePanel({ kind, shop, onTryAgain }: OutcomePanelProps) {
  switch (kind) {
    case 'confirming':
      return (
        <Panel icon={<Spinner />} title="Processing...">
          <p>We are confirming your payment. Please keep this page open for a moment.</p>
        </Panel>
      )
    case 'away':
      return (
        <Panel
          icon={<Icon name="clock" className="size-6" />}
          title="Your payment is being confirmed"
        >
          <p>
            This takes longer than usual. There is no need to pay again: as soon as the payment is
            confirmed, your order is placed and we send you an e-mail. You can close this page, or
            leave it open and it will go on by itself.
          </p>
          <p>
            If you stopped before your bank had confirmed the payment, nothing was charged, and the
            card form opens again once that is certain.
          </p>
          <ShopContact shop={shop} />
        </Panel>
      )
    case 'review':
      return (
        <Panel icon={<Icon name="clock" className="size-6" />} title="We have your payment">
          <p>
            Your payment has arrived and the shop takes a look at it before the order goes on. You
            will hear from us by e-mail. There is no need to pay again.
          </p>
          <ShopContact shop={shop} />
        </Panel>
      )
    case 'refused':
      return (
        <Panel
          icon={<Icon name="alert" className="size-6" />}
          title="Your order could not be created"
        >
          <p>
            Your card has been sent and will not be charged a second time. Please try again to
            create the order.
          </p>
          <PlainButton onClick={onTryAgain}>Try again</PlainButton>
          <ShopContact shop={shop} />
        </Panel>
      )
  }
}

type PanelProps = { icon: ReactNode; title: string; children: ReactNode }

function Panel({ icon, title, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])

  return (
    <div
      aria-live="polite"
      className="animate-appear rounded-2xl border border-line bg-well px-6 py-8 shadow-rest sm:px-8"
    >
      <div className="mb-4 grid size-12 place-items-center rounded-full bg-accent-wash text-accent">
        {icon}
      </div>
      <h2
        ref={heading}
        tabIndex={-1}
        className="scroll-mt-28 text-2xl font-semibold tracking-tight outline-none"
      >
        {title}
      </h2>
      <div className="mt-3 space-y-4 text-[0.9375rem]/6 text-soft">{children}</div>
    </div>
  )
}
