import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

import { formatMoney } from '#contract/money.ts'
import type { Address, AdminOrder } from '#contract/orders.ts'
import { thankYouPath } from '#contract/paths.ts'
import { Notice } from '#web/ui/notice.tsx'

import { CopyButton } from './copy-button.tsx'
import { Moment } from './moment.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import {
  addressLines,
  hasRefund,
  maybeMoneyBack,
  missing,
  refundedPart,
  shortId,
} from './order-words.ts'
import { ProductPicture } from './product-picture.tsx'
import { StatusBadge } from './status-badge.tsx'

const link =
  'underline decoration-line-strong underline-offset-4 transition-colors hover:decoration-current'

type OrderFactsProps = { order: AdminOrder; hrefOf: (id: string) => string }

export function OrderFacts({ order, hrefOf }: OrderFactsProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain">
      <Head order={order} />
      <div className="flex flex-col gap-6 px-6 py-6">
        {order.maybeDuplicateOf && (
          <Notice look="warning">
            <strong className="font-semibold">Possible duplicate.</strong> The same customer bought
            the same product at the same price shortly before.{' '}
            <Link href={hrefOf(order.maybeDuplicateOf)} replace className={`font-medium ${link}`}>
              Look at order {shortId(order.maybeDuplicateOf)}
            </Link>
          </Notice>
        )}
        <MoneyBackNotice order={order} />
        <Bought order={order} />
        <Part title="Customer">
          <CustomerLines order={order} />
        </Part>
        <div className="grid gap-6 sm:grid-cols-2">
          <Part
            title="Delivery address"
            action={
              <CopyButton
                text={addressLines(order.shippingAddress).join('\n')}
                name="Copy delivery address"
                className="-my-2"
              />
            }
          >
            <AddressLines address={order.shippingAddress} />
          </Part>
          <Part title="Billing address">
            {order.billingAddress ? (
              <AddressLines address={order.billingAddress} />
            ) : (
              <p className="text-soft">Same as delivery address</p>
            )}
          </Part>
        </div>
        <Part title="Payment">
          <dl className="flex flex-col gap-2">
            <Fact name="Method">{order.paymentMethod === 'card' ? 'Card' : missing}</Fact>
            {hasRefund(order) && <Fact name="Refunded">{refundedPart(order)}</Fact>}
            {order.chargedBackAt && (
              <Fact name="Charged back">
                <Moment at={order.chargedBackAt} />
              </Fact>
            )}
            <CopyableFact name="SumUp transaction" text={order.sumupTransactionId} />
            <CopyableFact name="Order ID" text={order.id} />
          </dl>
        </Part>
        <Part title="History">
          <OrderTimeline order={order} />
        </Part>
        <a
          href={thankYouPath(order.id)}
          target="_blank"
          rel="noopener"
          className={`inline-flex items-center gap-2 self-start text-sm font-medium text-accent ${link}`}
        >
          Open the thank-you page
          <ExternalLink aria-hidden className="size-4" />
        </a>
      </div>
    </div>
  )
}

function Head({ order }: { order: AdminOrder }) {
  return (
    <header className="border-b border-line py-5 ps-6 pe-16">
      <h2 className="text-lg font-semibold tracking-tight">
        Order <span className="font-mono text-base">{shortId(order.id)}</span>
      </h2>
      <div className="mt-2 flex flex-wrap items-center gap-3 text-sm text-soft">
        <StatusBadge status={order.status} />
        <Moment at={order.createdAt} />
      </div>
    </header>
  )
}

/** Before anything else: what was given back need not be sent. */
function MoneyBackNotice({ order }: { order: AdminOrder }) {
  if (order.chargedBackAt) {
    return (
      <Notice look="danger">
        <strong className="font-semibold">Charged back.</strong> The customer’s bank took the money
        back. Your SumUp account says why, and whether you can object.
      </Notice>
    )
  }
  if (!hasRefund(order)) return null
  return (
    <Notice look="warning">
      <strong className="font-semibold">{maybeMoneyBack(order)}.</strong>{' '}
      <bdi>{refundedPart(order)}</bdi> was given back to the customer.
    </Notice>
  )
}

function Bought({ order }: { order: AdminOrder }) {
  const { product, quantity, amount, currency } = order
  return (
    <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2 rounded-xl border border-line bg-card px-4 py-3.5">
      <ProductPicture url={product.imageUrl} />
      <div className="min-w-0 flex-1 basis-28">
        <p className="font-medium wrap-anywhere">{product.name || 'Unknown'}</p>
        <p className="text-sm text-soft">Quantity {quantity}</p>
      </div>
      <bdi className="ms-auto font-semibold">{formatMoney(amount, currency)}</bdi>
    </div>
  )
}

function CustomerLines({ order }: { order: AdminOrder }) {
  const { customerName, customerEmail, customerPhone, acceptsNewsAt } = order
  return (
    <div className="flex flex-col gap-1 wrap-anywhere">
      <p>
        <bdi>{customerName || missing}</bdi>
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
        {acceptsNewsAt ? 'Wants news and offers' : 'Did not ask for news and offers'}
      </p>
    </div>
  )
}

/** An address whole, line by line. */
export function AddressLines({ address }: { address: Address }) {
  return (
    <address className="not-italic wrap-anywhere">
      {[...addressLines(address).entries()].map(([place, line]) => (
        <span key={place} className="block">
          <bdi>{line}</bdi>
        </span>
      ))}
    </address>
  )
}

type PartProps = { title: string; action?: ReactNode; children: ReactNode }

function Part({ title, action, children }: PartProps) {
  return (
    <section className="min-w-0 text-sm/6">
      <div className="mb-1 flex items-center justify-between">
        <h3 className="text-xs font-medium text-muted">{title}</h3>
        {action}
      </div>
      {children}
    </section>
  )
}

function CopyableFact({ name, text }: { name: string; text: string | null }) {
  return (
    <Fact name={name}>
      {text ? (
        <span className="flex items-center gap-1">
          <bdi className="truncate font-mono text-[0.8125rem]">{text}</bdi>
          <CopyButton text={text} name={`Copy ${name}`} className="-my-2" />
        </span>
      ) : (
        missing
      )}
    </Fact>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
