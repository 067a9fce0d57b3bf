import type { CheckoutPageData } from '#contract/public-pages.ts'

import { FormContext, formId } from './form-context.ts'
import { panelOf } from './panels.ts'
import { BillingSection } from './sections/billing-section.tsx'
import { ContactSection } from './sections/contact-section.tsx'
import { DeliverySection } from './sections/delivery-section.tsx'
import { ErrorSummary } from './sections/error-summary.tsx'
import { OutcomePanel } from './sections/outcome-panel.tsx'
import { PayBar } from './sections/pay-bar.tsx'
import { PaymentSection } from './sections/payment-section.tsx'
import { ShippingSection } from './sections/shipping-section.tsx'
import { useCheckout } from './use-checkout.ts'

/** What a buyer fills in, from the first field to Pay now. */
export function CheckoutPage({ data }: { data: CheckoutPageData }) {
  const { form, payment, isLocked, problems, pay, tryAgain } = useCheckout(data)
  const panel = panelOf(payment)

  return (
    <FormContext value={form}>
      {panel && (
        <OutcomePanel
          key={panel.title}
          panel={panel}
          note={payment.is === 'at-bank' ? payment.note : undefined}
          isBusy={payment.is === 'starting-over'}
          shop={data.shop}
          onTryAgain={tryAgain}
        />
      )}
      {/* Hidden, not removed: the card form needs its place when it comes back. */}
      <div hidden={panel !== undefined}>
        <ErrorSummary problems={problems} tries={form.state.tries} />
        <form id={formId} noValidate onSubmit={pay}>
          <fieldset disabled={isLocked} className="min-w-0">
            <ContactSection />
            <DeliverySection />
          </fieldset>
          <ShippingSection />
        </form>
        <PaymentSection data={data} payment={payment} onPay={pay} onTryAgain={tryAgain} />
        <fieldset disabled={isLocked} className="mt-10 min-w-0">
          <BillingSection />
        </fieldset>
        <PayBar charge={data.charge} isLocked={isLocked} />
      </div>
    </FormContext>
  )
}
