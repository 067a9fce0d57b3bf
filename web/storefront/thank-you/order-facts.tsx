import type { ReactNode } from 'react'

import type { PublicOrder } from '#contract/orders.ts'
import { CopyButton } from '#web/storefront/checkout/copy-button.tsx'
import { classNames } from '#web/ui/class-names.ts'

import { AddressLines, isSameAddress } from './address-lines.tsx'
import { StatusBadge } from './status-badge.tsx'

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export function OrderFacts({ order }: { order: PublicOrder }) {
  const { shippingAddress, billingAddress } = order

  return (
    <dl className="grid gap-x-8 gap-y-6 px-5 py-7 sm:grid-cols-2 sm:px-10">
      <Fact label="Order number" isWide>
        <OrderNumber id={order.id} />
      </Fact>
      <Fact label="Status">
        <StatusBadge status={order.status} />
      </Fact>
      <Fact label="Date">
        <time dateTime={order.createdAt}>{dateFormat.format(new Date(order.createdAt))}</time>
      </Fact>
      <Fact label="Shipping address">
        <AddressLines address={shippingAddress} />
      </Fact>
      <Fact label="Payment method">{paymentMethodText(order.paymentMethod)}</Fact>
      {billingAddress && !isSameAddress(billingAddress, shippingAddress) && (
        <Fact label="Billing address">
          <AddressLines address={billingAddress} />
        </Fact>
      )}
    </dl>
  )
}

type FactProps = { label: string; isWide?: boolean; children: ReactNode }

function Fact({ label, isWide, children }: FactProps) {
  return (
    <div className={classNames('min-w-0', isWide && 'sm:col-span-2')}>
      <dt className="mb-1 text-[0.8125rem] text-muted">{label}</dt>
      <dd className="text-[0.9375rem]/6 wrap-anywhere">{children}</dd>
    </div>
  )
}

function OrderNumber({ id }: { id: string }) {
  return (
    <span className="flex items-start gap-1">
      <bdi className="font-mono text-sm/6">{id}</bdi>
      <CopyButton text={id} label="Copy order number" />
    </span>
  )
}

function paymentMethodText(method: string | null): string {
  return method ? method.slice(0, 1).toUpperCase() + method.slice(1) : 'Card'
}
