import { formatMoney } from '#contract/money.ts'
import type { CheckoutPageData } from '#contract/public-pages.ts'
import type { Payment } from '#web/storefront/checkout/payment-state.ts'

import { CardSlot } from './card-slot.tsx'
import { Section } from './section.tsx'
import { TestCards } from './test-cards.tsx'
import { Icon } from '#web/storefront/checkout/icon.tsx'

type PaymentSectionProps = {
  data: CheckoutPageData
  payment: Payment
  onPay: () => void
  onTryAgain: () => void
}

export function PaymentSection({ data, payment, onPay, onTryAgain }: PaymentSectionProps) {
  const { charge, product, isTestMode } = data
  const isOtherCurrency = charge.currency !== product.currency

  return (
    <Section id="payment" title="Payment">
      <div className="overflow-hidden rounded-xl border border-line-strong bg-well shadow-rest">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3.5">
          <h3 className="flex items-center gap-2.5 font-medium">
            <Icon name="card" className="size-5 text-accent" />
            Credit Card
          </h3>
          <p className="flex items-center gap-1.5 rounded-full bg-completed-wash px-2.5 py-1 text-[0.8125rem] font-medium text-completed">
            <Icon name="lock" className="size-3.5" />
            Secure and encrypted
          </p>
        </div>
        <div className="grid gap-4 p-4 empty:p-0 sm:empty:pt-4">
          {isOtherCurrency && (
            <p className="rounded-lg border border-warning-line bg-warning-wash px-3.5 py-3 text-sm">
              You will be charged{' '}
              <strong className="font-semibold">
                <bdi>{formatMoney(charge.amount, charge.currency)}</bdi>
              </strong>
            </p>
          )}
          {isTestMode && <TestCards />}
        </div>
        {/* On a phone the card form gets every pixel there is. */}
        <div className="sm:px-4 sm:pb-4">
          <CardSlot payment={payment} onPay={onPay} onTryAgain={onTryAgain} />
        </div>
      </div>
    </Section>
  )
}
