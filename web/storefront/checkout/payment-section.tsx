import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'

import { fillText } from '#contract/languages.ts'
import { type OtherMethod, otherMethods as methods } from '#contract/payment-methods.ts'
import type { CheckoutFormData } from '#contract/public-pages.ts'
import { canWithdraw, withdrawalDays, withdrawalPolicyId } from '#contract/withdrawals.ts'
import { CopyButton, SecondaryButton } from '#web/storefront/shell/buttons.tsx'
import { fillNodes } from '#web/storefront/shell/fill-nodes.tsx'
import { Icon } from '#web/storefront/shell/icon.tsx'
import { findMethodTexts, findPriceTexts, texts } from '#web/storefront/shell/language.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import { cardContainerId } from './card-widget.ts'
import { formId, useForm } from './form-context.ts'
import { type Payment, showsOthers } from './payment.ts'
import { Section } from './section.tsx'

type CardSlotProps = {
  payment: Payment
  onPay: () => void
  onTryAgain: () => void
  onLeaveBankPage: () => void
}

type PaymentSectionProps = CardSlotProps &
  OtherWaysProps & { data: CheckoutFormData; chargeText: string }

export function PaymentSection({
  data,
  chargeText,
  payment,
  otherMethods,
  onPay,
  onPayOtherwise,
  onGoBackToCard,
  onTryAgain,
  onLeaveBankPage,
}: PaymentSectionProps) {
  const { charge, product, mode } = data
  const isOther = showsOthers(payment)
  const heading = useHeadingFocus(payment)
  const isOtherCurrency = charge.currency !== product.currency

  return (
    <Section id="payment" title={texts().payment.title}>
      <div className="overflow-hidden rounded-xl border border-line-strong bg-well shadow-rest">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3.5">
          <h3
            ref={heading}
            tabIndex={-1}
            className="flex scroll-mt-28 items-center gap-2.5 font-medium outline-none"
          >
            <Icon name="card" className="size-5 text-accent" />
            {isOther ? findMethodTexts()?.otherWays : texts().payment.card}
          </h3>
          <p className="flex items-center gap-1.5 rounded-full bg-completed-wash px-2.5 py-1 text-[0.8125rem] font-medium text-completed">
            <Icon name="lock" className="size-3.5" />
            {texts().payment.secure}
          </p>
        </div>
        <div className="grid gap-4 p-4 empty:p-0 sm:empty:pt-4">
          {isOtherCurrency && (
            <p className="rounded-lg border border-warning-line bg-warning-wash px-3.5 py-3 text-sm">
              {fillNodes(texts().payment.charged, {
                amount: (
                  <strong className="font-semibold">
                    <bdi>{chargeText}</bdi>
                  </strong>
                ),
              })}
            </p>
          )}
          {mode === 'test' && !isOther && <TestCards />}
          {isOther && (
            <div>
              <AmountDue chargeText={chargeText} />
              <WithdrawalNotice data={data} />
              {/* In place of the words of the button that orders: those of other ways are not ours. */}
              <p className="text-sm font-medium">{findMethodTexts()?.obliges}</p>
            </div>
          )}
        </div>
        {/* Full width on a phone. */}
        <div className="sm:px-4 sm:pb-4">
          <CardSlot
            payment={payment}
            onPay={onPay}
            onTryAgain={onTryAgain}
            onLeaveBankPage={onLeaveBankPage}
          />
          {data.otherMethods && (
            <OtherWays
              payment={payment}
              otherMethods={otherMethods}
              onPayOtherwise={onPayOtherwise}
              onGoBackToCard={onGoBackToCard}
            />
          )}
        </div>
      </div>
    </Section>
  )
}

/** What is focused disappears with what it was in, or is covered. */
function useHeadingFocus(payment: Payment): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const isOther = showsOthers(payment)
  const wasOther = useRef(isOther)
  const isChecking = payment.state === 'checking'
  useEffect(() => {
    if (wasOther.current === isOther) return
    wasOther.current = isOther
    heading.current?.focus({ preventScroll: true })
    // With the amount and the buttons below it.
    if (isOther) heading.current?.scrollIntoView()
  }, [isOther])
  useEffect(() => {
    const focused = document.activeElement
    const isCovered = document.getElementById(cardContainerId)?.contains(focused)
    if (isChecking && (isCovered || !focused || focused === document.body))
      heading.current?.focus({ preventScroll: true })
  }, [isChecking])
  return heading
}

type OtherWaysProps = {
  payment: Payment
  otherMethods: readonly OtherMethod[]
  onPayOtherwise: () => void
  onGoBackToCard: () => void
}

/** Below the card form, or below what is in its place. Its space is there from the start, so that nothing moves. */
function OtherWays({ payment, otherMethods, onPayOtherwise, onGoBackToCard }: OtherWaysProps) {
  const { otherWays, backToCard } = findMethodTexts() ?? {}
  const isLoading = payment.state === 'loading'
  if (showsOthers(payment))
    return (
      <div className={otherWaysClass}>
        {payment.state === 'choosing' && (
          <SecondaryButton onClick={onGoBackToCard}>{backToCard}</SecondaryButton>
        )}
      </div>
    )
  if (otherMethods.length === 0 && !isLoading) return null
  const isSaving = payment.state === 'saving' && payment.isOther === true
  return (
    <div className={otherWaysClass}>
      <SecondaryButton
        isBusy={isSaving}
        aria-describedby="other-ways"
        hidden={isLoading}
        onClick={onPayOtherwise}
      >
        {otherWays}
      </SecondaryButton>
      <span id="other-ways" className="text-sm text-soft">
        {!isLoading && otherMethods.map((id) => methods[id].name).join(', ')}
      </span>
    </div>
  )
}

const otherWaysClass =
  'flex min-h-19 flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-4 sm:border-0 sm:px-0 sm:pb-0'

const testCards = [
  { number: '4200 0000 0000 0091', outcome: 'succeeds' as const },
  { number: '4200 0000 0000 0042', outcome: 'asksForSecure' as const },
]

function TestCards() {
  return (
    <div className="rounded-lg border border-warning-line bg-warning-wash px-3.5 py-3 text-sm">
      <p className="font-medium text-warning">{texts().payment.testCards}</p>
      <ul className="mt-1">
        {testCards.map(({ number, outcome }) => (
          <li
            key={number}
            className="flex min-h-8 flex-wrap items-center gap-x-2 pointer-coarse:min-h-11"
          >
            <bdi className="font-mono whitespace-nowrap">{number}</bdi>
            <CopyButton
              text={number.replaceAll(' ', '')}
              label={fillText(texts().payment.copy, { text: number })}
            />
            <span className="text-soft">{texts().payment[outcome]}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-soft">{texts().payment.testNote}</p>
    </div>
  )
}

/** Holds SumUp's card form. It has its full height from the start, so that nothing below moves. */
function CardSlot({ payment, onPay, onTryAgain, onLeaveBankPage }: CardSlotProps) {
  const container = useRef<HTMLDivElement>(null)
  usePayOnSubmit(container, payment, onPay)
  const isLoading = payment.state === 'loading'
  const isChecking = payment.state === 'checking'
  const isCovered = ['loading', 'checking', 'no-price', 'load-failed'].includes(payment.state)

  return (
    <div
      aria-busy={isLoading || isChecking}
      className="relative min-h-94 overflow-hidden border-t border-line bg-card sm:rounded-lg sm:border"
    >
      {/* React renders nothing inside: its content belongs to SumUp. */}
      <div id={cardContainerId} ref={container} inert={isCovered} />
      {/* It may be gone with a connection that was lost for a moment, which nobody tells this page. */}
      {payment.state === 'submitted' && payment.progress === 'challenge' && (
        <div className="p-4 text-sm text-soft">
          <p className="mb-3">{texts().payment.bankPage}</p>
          <SecondaryButton onClick={onLeaveBankPage}>
            {texts().payment.leaveBankPage}
          </SecondaryButton>
        </div>
      )}
      <output>
        {(isLoading || isChecking) && (
          <Cover>
            {isLoading && <CardOutline />}
            <span className="flex items-center gap-2.5 text-sm text-soft">
              <Spinner />
              {isLoading ? texts().payment.loading : texts().payment.confirming}
            </span>
            {/* Without a script, which may be what did not load. */}
            {isLoading && (
              <span className="mt-3 max-w-72 animate-late text-sm text-soft">
                {texts().payment.stillLoading}
              </span>
            )}
          </Cover>
        )}
      </output>
      {payment.state === 'no-price' && (
        <Cover>
          <span className="max-w-80 text-sm text-soft">{findPriceTexts()?.countryFirst}</span>
        </Cover>
      )}
      {payment.state === 'load-failed' && (
        <Cover>
          <span className="font-medium">{texts().payment.notLoaded}</span>
          <span className="mt-1 mb-4 max-w-72 text-sm text-soft">
            {payment.reason ?? describeLoadFailure()}
          </span>
          <SecondaryButton onClick={onTryAgain}>{texts().payment.tryAgain}</SecondaryButton>
        </Cover>
      )}
      <noscript>
        <p className="absolute inset-0 grid place-items-center bg-card p-6 text-center text-sm">
          {texts().payment.needsScript}
        </p>
      </noscript>
    </div>
  )
}

function describeLoadFailure(): string {
  const { checkConnection, needsCookies } = texts().payment
  return navigator.cookieEnabled ? checkConnection : needsCookies
}

function Cover({ children }: { children: ReactNode }) {
  return (
    <span className="absolute inset-0 grid place-content-center justify-items-center bg-card p-6 text-center">
      {children}
    </span>
  )
}

function CardOutline() {
  return (
    <span aria-hidden className="mb-5 grid w-60 grid-cols-2 gap-3">
      <span className="col-span-2 h-9 rounded-lg border border-line bg-well/60" />
      <span className="h-9 rounded-lg border border-line bg-well/60" />
      <span className="h-9 rounded-lg border border-line bg-well/60" />
    </span>
  )
}

/**
 * Enter in a card field would submit SumUp's form before the server has the delivery address. It means Pay now, and nothing
 * once that was pressed. The form's own submission is let through then, since it may be the one that we ask for.
 */
function usePayOnSubmit(
  container: RefObject<HTMLDivElement | null>,
  payment: Payment,
  onPay: () => void,
) {
  const payInstead = useEffectEvent((event: Event) => {
    const isPressedAgain = payment.state === 'saving' && event.type === 'keydown'
    if (payment.state !== 'ready' && !isPressedAgain) return
    event.preventDefault()
    event.stopPropagation()
    onPay()
  })

  useEffect(() => {
    const element = container.current
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement) payInstead(event)
    }
    const onSubmit = (event: Event) => payInstead(event)
    element?.addEventListener('keydown', onKeyDown, { capture: true })
    element?.addEventListener('submit', onSubmit, { capture: true })
    return () => {
      element?.removeEventListener('keydown', onKeyDown, { capture: true })
      element?.removeEventListener('submit', onSubmit, { capture: true })
    }
  }, [container])
}

/** Told before paying, to those who have the right. The dialog is in the footer. */
function WithdrawalNotice({ data: { product, withdrawal } }: { data: CheckoutFormData }) {
  const { state, delivery } = useForm()
  const { form } = state
  const place = form.choices.isPickup ? delivery.pickup : null
  const country = place?.country ?? form.texts['shipping-country']
  if (!canWithdraw(withdrawal.scope, product, country)) return null
  const { policyUrl } = withdrawal
  const target = policyUrl
    ? { href: policyUrl, target: '_blank', rel: 'noopener noreferrer' }
    : { href: `#${withdrawalPolicyId}`, 'data-open-dialog': withdrawalPolicyId }
  return (
    <p className="mb-3 text-[0.8125rem]/5 text-soft">
      {fillText(texts().withdrawal.notice, { days: String(withdrawalDays) })}{' '}
      <a {...target} className="underline underline-offset-2 pointer-coarse:py-2.5">
        {texts().withdrawal.policy}
      </a>
    </p>
  )
}

function AmountDue({ chargeText }: { chargeText: string }) {
  return (
    <p className="mb-3 flex items-baseline justify-between">
      <span className="font-medium">{texts().payment.due}</span>
      <span className="text-lg font-semibold tracking-tight">
        <bdi>{chargeText}</bdi>
      </span>
    </p>
  )
}

type PayBarProps = {
  data: CheckoutFormData
  chargeText: string
  payment: Payment
  isWorking: boolean
  isLocked: boolean
}

/** Where other ways to pay are shown, what is known before paying is above them. */
export function PayBar({ data, chargeText, payment, isWorking, isLocked }: PayBarProps) {
  const button = useRef<HTMLButtonElement>(null)
  // Enter in a field pays too, and then the field is disabled and loses the focus.
  useEffect(() => {
    const focused = document.activeElement
    const isFocusLost = !focused || focused === document.body || focused.matches(':disabled')
    if (isLocked && isFocusLost) button.current?.focus()
  }, [isLocked])

  return (
    <div className="mt-10">
      {!showsOthers(payment) && (
        <>
          <AmountDue chargeText={chargeText} />
          <WithdrawalNotice data={data} />
        </>
      )}
      {/* Not disabled while it is locked, so that it keeps the focus; the sale ignores a second press. */}
      <button
        ref={button}
        hidden={payment.state === 'choosing'}
        type="submit"
        form={formId}
        disabled={!isWorking}
        aria-disabled={isLocked}
        className="flex min-h-14 w-full scroll-mt-28 items-center justify-center gap-2.5 rounded-xl bg-accent px-4 py-2 text-lg/6 font-semibold text-on-accent shadow-lifted transition-colors select-none hover:bg-accent-strong aria-disabled:cursor-default aria-disabled:bg-accent-strong disabled:opacity-60"
      >
        {isLocked ? <Spinner /> : <Icon name="lock" className="size-4.5 shrink-0" />}
        <span aria-live="polite">
          {isLocked ? texts().payment.processing : texts().payment.pay}
        </span>
      </button>
      <p className="mt-3 text-center text-[0.8125rem]/5 text-muted">{texts().payment.provider}</p>
    </div>
  )
}
