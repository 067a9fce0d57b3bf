import { ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'

import { formatMoney } from '#contract/money.ts'
import { findOtherBilling } from '#contract/addresses.ts'
import { carrierNames } from '#contract/carriers.ts'
import type { AdminOrder } from '#contract/orders.ts'
import { thankYouPath } from '#contract/paths.ts'
import { describeReturned, findReturnedLabel, listReturned } from '#contract/returned-money.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { ProductPicture } from '#web/ui/product-picture.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { CopyButton, DateTime, FullAddress, RefundFlag, TestBadge } from './order-display.tsx'
import { useOrder, useTimeline } from './order-queries.ts'
import { OrderRefundList } from './order-refund-list.tsx'
import { StatusBadge } from './order-status.tsx'
import { formatEvent, formatFullAddress, formatPart, noValue, shortId } from './order-text.ts'
import type { OrderNavigation } from './order-url.ts'

type OrderPanelProps = { navigation: OrderNavigation; listed: readonly AdminOrder[] }

/** One order in full, beside the list. Its URL can be shared, and Back closes it. */
export function OrderPanel({ navigation, listed }: OrderPanelProps) {
  const { openId } = navigation.url
  // Keeps the order in the panel while it slides out.
  const [id, setId] = useState(openId)
  if (openId && openId !== id) setId(openId)

  return (
    <Sheet
      side="end"
      isOpen={openId !== undefined}
      onOpenChange={navigation.close}
      title={`Order ${shortId(id ?? '')}`}
      className="w-120"
    >
      {id && (
        <Content
          key={id}
          id={id}
          listed={listed.find((order) => order.id === id)}
          hrefOf={(other) => navigation.hrefOf({ openId: other })}
          onTrack={navigation.openTracking}
          onRefund={navigation.openRefund}
        />
      )}
    </Sheet>
  )
}

type ContentProps = {
  id: string
  /** The order, if the list has it already. */
  listed: AdminOrder | undefined
  hrefOf: (id: string) => string
  onTrack: (id: string) => void
  onRefund: (id: string) => void
}

function Content({ id, listed, ...links }: ContentProps) {
  const single = useOrder(id, { isNeeded: !listed })
  const order = listed ?? single.data
  if (order) return <OrderDetails order={order} {...links} />
  return (
    <div className="p-6 pe-16" aria-live="polite">
      {single.isPending ? (
        <>
          <p className="sr-only">Loading...</p>
          <Skeleton className="h-6 w-44" />
          <Skeleton className="mt-4 h-4 w-64" />
        </>
      ) : (
        <>
          <p className="text-lg font-semibold tracking-tight">
            {single.isError ? 'The order could not be loaded' : 'Order not found'}
          </p>
          <p className="mt-1.5 text-sm text-soft">
            {single.isError
              ? 'Close this and try again in a moment.'
              : 'The link may be incomplete. No order has this number.'}
          </p>
        </>
      )}
    </div>
  )
}

const link =
  'underline decoration-line-strong underline-offset-4 transition-colors hover:decoration-current'

type OrderProps = { order: AdminOrder }
type DetailProps = OrderProps & Pick<ContentProps, 'hrefOf' | 'onTrack' | 'onRefund'>

function OrderDetails({ order, hrefOf, onTrack, onRefund }: DetailProps) {
  const billingAddress = findOtherBilling(order)
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain">
      <header className="border-b border-line py-5 ps-6 pe-16">
        <h2 className="text-lg font-semibold tracking-tight">
          Order <span className="font-mono text-base">{shortId(order.id)}</span>
        </h2>
        <div className="mt-2 flex flex-wrap items-center gap-3 text-sm text-soft">
          <StatusBadge status={order.status} />
          <RefundFlag order={order} />
          <TestBadge isTest={order.isTest} />
          <DateTime at={order.createdAt} />
        </div>
      </header>
      <div className="flex flex-col gap-6 px-6 py-6">
        {order.isTest && (
          <Notice look="warning">
            <strong className="font-semibold">Test order.</strong> It was made in test mode: no
            money was taken, and nothing has to be delivered.
          </Notice>
        )}
        {order.maybeDuplicateOf && (
          <Notice look="warning">
            <strong className="font-semibold">Possible duplicate.</strong> The same customer bought
            the same product at the same price shortly before.{' '}
            <Link href={hrefOf(order.maybeDuplicateOf)} replace className={`font-medium ${link}`}>
              Look at order {shortId(order.maybeDuplicateOf)}
            </Link>
          </Notice>
        )}
        <ReturnedNotice order={order} />
        <Product order={order} />
        <Section title="Customer">
          <Customer order={order} />
        </Section>
        <div className="grid gap-6 sm:grid-cols-2">
          <Section
            title="Delivery address"
            action={
              <CopyButton
                text={formatFullAddress(order.shippingAddress).join('\n')}
                name="Copy delivery address"
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
              <p className="text-soft">Same as delivery address</p>
            )}
          </Section>
        </div>
        <Section title="Parcel">
          <Parcel order={order} onTrack={onTrack} />
        </Section>
        <Section title="Payment">
          <dl className="flex flex-col gap-2">
            <Fact name="Method">{order.paymentMethod === 'card' ? 'Card' : noValue}</Fact>
            {listReturned(order).map(({ label, amount }) => (
              <Fact key={label} name={label}>
                {formatPart(amount, order)}
              </Fact>
            ))}
            <CopyableFact name="SumUp transaction" text={order.sumupTransactionId} />
            <CopyableFact name="Order ID" text={order.id} />
          </dl>
          <OrderRefundList order={order} onRefund={onRefund} />
        </Section>
        <Section title="History">
          <Timeline order={order} />
        </Section>
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

/** What went back, and before a whole refund is shipped: whether that is meant. */
function ReturnedNotice({ order }: OrderProps) {
  const returned = describeReturned(order)
  if (returned.extent === 'none') return null
  const isToShip = order.status === 'pending' || order.status === 'processing'
  return (
    <Notice look={returned.kind === 'refund' ? 'warning' : 'danger'}>
      <strong className="font-semibold">{findReturnedLabel(order)}.</strong>{' '}
      {returned.kind !== 'chargeback' && (
        <>
          <bdi>{formatPart(order.refundedAmount, order)}</bdi> was given back to the customer.{' '}
        </>
      )}
      {returned.kind !== 'refund' && (
        <>
          The customer’s bank took back <bdi>{formatPart(order.chargedBackAmount, order)}</bdi>.
          Your SumUp account says why, and whether you can object.{' '}
        </>
      )}
      {returned.extent === 'all' && isToShip && 'Do not ship it unless you have agreed so.'}
    </Notice>
  )
}

function Product({ order: { product, quantity, amount, currency } }: OrderProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2 rounded-xl border border-line bg-card px-4 py-3.5">
      <ProductPicture
        url={product.imageUrl}
        size="thumb"
        loading="lazy"
        placeholder="?"
        hasDashedPlaceholder
        className="size-10 rounded-lg"
      />
      <div className="min-w-0 flex-1 basis-28">
        <p className="font-medium wrap-anywhere">{product.name || 'Unknown'}</p>
        <p className="text-sm text-soft">Quantity {quantity}</p>
      </div>
      <bdi className="ms-auto font-semibold">{formatMoney(amount, currency)}</bdi>
    </div>
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

function Parcel({ order, onTrack }: OrderProps & Pick<ContentProps, 'onTrack'>) {
  const { id, shipment } = order
  if (!shipment) {
    if (order.erasedAt) return <p className="text-soft">{noValue}</p>
    return (
      <Button size="small" onClick={() => onTrack(id)} className="mt-1">
        Add tracking
      </Button>
    )
  }
  const { carrier, trackingNumber, trackingUrl } = shipment
  return (
    <div className="flex flex-col gap-2">
      <dl className="flex flex-col gap-2">
        <Fact name="Carrier">{carrierNames[carrier]}</Fact>
        {trackingNumber && <CopyableFact name="Tracking number" text={trackingNumber} />}
      </dl>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {trackingUrl && (
          <a
            href={trackingUrl}
            target="_blank"
            rel="noopener noreferrer"
            className={`inline-flex items-center gap-2 font-medium text-accent ${link}`}
          >
            Follow the parcel
            <ExternalLink aria-hidden className="size-4" />
          </a>
        )}
        <Button size="small" onClick={() => onTrack(id)}>
          Change tracking
        </Button>
      </div>
    </div>
  )
}

function Timeline({ order }: OrderProps) {
  const { data: events, isError } = useTimeline(order.id)

  if (isError) return <p className="text-soft">The history could not be loaded.</p>
  if (events?.length === 0) return <p className="text-soft">Nothing has happened yet.</p>
  return (
    <ol className="min-h-12">
      {events?.map((event) => (
        <li
          key={`${event.at} ${event.event} ${event.to}`}
          className="relative pb-3 ps-5 last:pb-0 before:absolute before:start-0 before:top-2 before:size-2 before:rounded-full before:bg-accent not-last:after:absolute not-last:after:start-[0.2rem] not-last:after:top-4.5 not-last:after:h-[calc(100%-0.75rem)] not-last:after:w-px not-last:after:bg-line"
        >
          <p>{formatEvent(event, order)}</p>
          <p className="text-[0.8125rem]/5 text-muted">
            <DateTime at={event.at} />
            {' · '}
            <bdi>{event.who}</bdi>
          </p>
        </li>
      ))}
    </ol>
  )
}

type SectionProps = { title: string; action?: ReactNode; children: ReactNode }

function Section({ title, action, children }: SectionProps) {
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
        noValue
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
