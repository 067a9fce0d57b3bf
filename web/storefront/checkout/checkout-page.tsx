import { useEffect, useRef } from 'react'

import { fillText } from '#contract/languages.ts'
import type { CheckoutFormData, ShopContactFacts } from '#contract/public-pages.ts'
import { SecondaryButton } from '#web/storefront/shell/buttons.tsx'
import { Icon } from '#web/storefront/shell/icon.tsx'
import { priceTexts, texts } from '#web/storefront/shell/language.ts'
import type { ShownPrice } from '#web/storefront/shell/price.ts'
import { ShopContact } from '#web/storefront/shell/shop-contact.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import { BillingSection, DeliverySection, ShippingSection } from './address-sections.tsx'
import { ChoiceSection } from './choice-section.tsx'
import { useIsConnectionLost } from './connection.ts'
import { ContactSection } from './contact-section.tsx'
import { NoteField } from './fields.tsx'
import { type FieldErrors, summaryErrors } from './form.ts'
import { FormContext, formId } from './form-context.ts'
import { describeLostConnection, findPanel, type Panel } from './messages.ts'
import type { Payment } from './payment.ts'
import { PayBar, PaymentSection } from './payment-section.tsx'
import { useCheckout } from './use-checkout.ts'

/** The hydrated part of the page: the form, or the panel that replaces it. */
export function CheckoutPage({ data }: { data: CheckoutFormData }) {
  const { form, payment, otherMethods, price, isHydrated, isLocked, ...acts } = useCheckout(data)
  const chargeText = price?.total ?? data.chargeText
  const panel = findPanel(payment)

  return (
    <FormContext value={form}>
      {panel && (
        <OutcomePanel
          key={panel.title}
          panel={panel}
          note={payment.state === 'at-bank' ? payment.note : undefined}
          isBusy={payment.state === 'starting-over'}
          shop={data.shop}
          onTryAgain={acts.tryAgain}
        />
      )}
      {/* Hidden, not removed: the card form needs its container when it is mounted again. */}
      <div hidden={panel !== undefined}>
        <ErrorSummary errors={summaryErrors(form.state)} attempts={form.state.failedAttempts} />
        {/* Outside a dialog this method sends nothing, whatever happens before the script runs. */}
        <form id={formId} method="dialog" noValidate onSubmit={acts.pay}>
          <fieldset disabled={isLocked} className="min-w-0">
            {data.choice && <ChoiceSection choice={data.choice} />}
            <ContactSection />
            <DeliverySection />
            <NoteField />
          </fieldset>
          <ShippingSection price={price?.shipping} />
        </form>
        <PaymentSection
          data={data}
          chargeText={chargeText}
          payment={payment}
          otherMethods={otherMethods}
          onPay={acts.pay}
          onPayOtherwise={acts.payOtherwise}
          onGoBackToCard={acts.goBackToCard}
          onTryAgain={acts.tryAgain}
          onLeaveBankPage={acts.leaveBankPage}
        />
        <fieldset disabled={isLocked} className="mt-10 min-w-0">
          <BillingSection />
        </fieldset>
        {price && <PriceAnnouncement price={price} />}
        <PayBar
          data={data}
          chargeText={chargeText}
          payment={payment}
          isWorking={isHydrated}
          isLocked={isLocked}
        />
      </div>
      <ConnectionNotice payment={payment} />
    </FormContext>
  )
}

/** At the bottom of the screen, wherever the buyer is on the page. */
function ConnectionNotice({ payment }: { payment: Payment }) {
  const isLost = useIsConnectionLost()
  // A form that waits for the buyer asks the shop nothing, and would not learn that it is back.
  const isIdle = payment.state === 'ready' && navigator.onLine
  const text = isLost && !isIdle ? describeLostConnection(payment) : undefined
  return (
    <output className="sticky bottom-3 z-10 block">
      {text && (
        <span
          data-connection-notice
          className="mt-6 flex items-start gap-3 rounded-xl border border-warning-line bg-warning-wash px-4 py-3.5 text-[0.9375rem]/6 shadow-lifted"
        >
          <Icon name="alert" className="mt-0.5 size-5 shrink-0 text-warning" />
          {text}
        </span>
      )}
    </output>
  )
}

/** For those who do not see the summary change. */
function PriceAnnouncement({ price: { shipping, total } }: { price: ShownPrice }) {
  return (
    <output className="sr-only">{fillText(priceTexts().announced, { shipping, total })}</output>
  )
}

type OutcomePanelProps = {
  panel: Panel
  /** Why the button had no effect. */
  note: string | undefined
  isBusy: boolean
  shop: ShopContactFacts
  onTryAgain: () => void
}

function OutcomePanel({ panel, note, isBusy, shop, onTryAgain }: OutcomePanelProps) {
  const { icon, title, paragraphs, button } = panel
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
  }, [])

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

type ErrorSummaryProps = { errors: FieldErrors; attempts: number }

/** Lists what is wrong, with links to the fields, and takes the focus after each failed attempt. */
function ErrorSummary({ errors, attempts }: ErrorSummaryProps) {
  const summary = useRef<HTMLElement>(null)
  useEffect(() => {
    if (attempts > 0) summary.current?.focus()
  }, [attempts])
  const entries = Object.entries(errors)
  if (entries.length === 0) return null

  return (
    <section
      ref={summary}
      tabIndex={-1}
      aria-labelledby="error-summary-title"
      className="mb-8 scroll-mt-28 rounded-xl border-2 border-danger bg-danger-wash px-5 py-4"
    >
      <h2 id="error-summary-title" className="text-lg font-semibold tracking-tight">
        {texts().errors.title}
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
              {id.startsWith('billing-')
                ? fillText(texts().errors.forBilling, { error: text })
                : text}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
