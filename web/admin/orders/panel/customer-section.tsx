import { findOtherBilling } from '#contract/addresses.ts'
import { CopyButton, DateTime, FullAddress } from '#web/admin/orders/order-display.tsx'
import { formatFullAddress, noValue } from '#web/admin/orders/order-text.ts'

import { Button } from '#web/ui/button.tsx'

import { link, type OrderProps, Section } from './panel-parts.tsx'
import { ResendConfirmation } from './resend-confirmation.tsx'

type CustomerProps = OrderProps & { onCorrect: () => void }

/** Who bought it, and where it goes. */
export function CustomerSection({ order, onCorrect }: CustomerProps) {
  const billingAddress = findOtherBilling(order)
  return (
    <>
      <Section title="Customer">
        <Customer order={order} />
        {!order.erasedAt && (
          <div className="mt-2 flex flex-wrap gap-2 print:hidden">
            <Button size="small" onClick={onCorrect}>
              Correct customer
            </Button>
            <ResendConfirmation order={order} />
          </div>
        )}
      </Section>
      <div className="grid gap-6 sm:grid-cols-2">
        <Section
          title={order.isPickup ? 'Pickup at' : 'Delivery address'}
          action={
            <CopyButton
              text={formatFullAddress(order.shippingAddress).join('\n')}
              name={order.isPickup ? 'Copy pickup place' : 'Copy delivery address'}
              className="-my-2"
            />
          }
        >
          <FullAddress address={order.shippingAddress} />
        </Section>
        <Section title="Billing address">
          {billingAddress ? (
            <FullAddress address={billingAddress} />
          ) : (
            <p className="text-soft">{order.isPickup ? 'None' : 'Same as delivery address'}</p>
          )}
        </Section>
      </div>
    </>
  )
}

function Customer({ order }: OrderProps) {
  const { customerName, customerEmail, customerPhone, acceptsNewsAt, erasedAt } = order
  return (
    <div className="flex flex-col gap-1 wrap-anywhere">
      <p>
        <bdi>{customerName || noValue}</bdi>
      </p>
      {customerEmail && (
        <a href={`mailto:${customerEmail}`} className={`self-start ${link}`}>
          <bdi>{customerEmail}</bdi>
        </a>
      )}
      {customerPhone && (
        <a href={`tel:${customerPhone.replaceAll(/[^\d+]/g, '')}`} className={`self-start ${link}`}>
          <bdi>{customerPhone}</bdi>
        </a>
      )}
      <p className="text-soft">
        {erasedAt ? (
          <>
            Name, address and contact were erased on <DateTime at={erasedAt} />. The order keeps
            what your books need.
          </>
        ) : acceptsNewsAt ? (
          'Wants news and offers'
        ) : (
          'Did not ask for news and offers'
        )}
      </p>
    </div>
  )
}
