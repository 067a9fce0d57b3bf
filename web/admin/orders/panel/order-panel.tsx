import { ExternalLink, Printer, ReceiptText } from 'lucide-react'
import { useState } from 'react'

import { formatMoney } from '#contract/money.ts'
import { type AdminOrder, titleOfNote } from '#contract/orders.ts'
import { thankYouPath } from '#contract/paths.ts'
import { CopyButton, DateTime, RefundFlag, TestBadge } from '#web/admin/orders/order-display.tsx'
import { useOrder } from '#web/admin/orders/order-queries.ts'
import { StatusBadge } from '#web/admin/orders/order-status.tsx'
import { shortId } from '#web/admin/orders/order-text.ts'
import { openIdOf, type OrderNavigation } from '#web/admin/orders/order-url.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { ProductPicture } from '#web/ui/product-picture.tsx'
import { RetryNotice } from '#web/ui/retry-notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { CustomerSection } from './customer-section.tsx'
import { HistorySection } from './history-section.tsx'
import { NotesSection } from './notes-section.tsx'
import { OrderNotices } from './order-notices.tsx'
import { link, type OrderProps } from './panel-parts.tsx'
import { ParcelSection } from './parcel-section.tsx'
import { PaymentSection } from './payment-section.tsx'

type OrderPanelProps = { navigation: OrderNavigation; listed: readonly AdminOrder[] }

/** One order in full, beside the list. Its URL can be shared, and Back closes it. */
export function OrderPanel({ navigation, listed }: OrderPanelProps) {
  const openId = openIdOf(navigation.url, 'order')
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
          navigation={navigation}
        />
      )}
    </Sheet>
  )
}

type ContentProps = {
  id: string
  /** The order, if the list has it already. */
  listed: AdminOrder | undefined
  navigation: OrderNavigation
}

function Content({ id, listed, navigation }: ContentProps) {
  const single = useOrder(id, { isNeeded: !listed })
  const order = listed ?? single.data
  if (order) return <OrderDetails order={order} navigation={navigation} />
  return (
    <div className="p-6 pe-16" aria-live="polite">
      {single.isPending ? (
        <>
          <p className="sr-only">Loading...</p>
          <Skeleton className="h-6 w-44" />
          <Skeleton className="mt-4 h-4 w-64" />
        </>
      ) : single.isError ? (
        <RetryNotice isFetching={single.isFetching} onRetry={() => void single.refetch()}>
          The order could not be loaded.
        </RetryNotice>
      ) : (
        <>
          <p className="text-lg font-semibold tracking-tight">Order not found</p>
          <p className="mt-1.5 text-sm text-soft">
            The link may be incomplete. No order has this number.
          </p>
        </>
      )}
    </div>
  )
}

type DetailProps = OrderProps & Pick<ContentProps, 'navigation'>

function OrderDetails({ order, navigation }: DetailProps) {
  const openRefund = () => navigation.openPanel({ kind: 'refund', id: order.id })
  return (
    <div
      data-order-panel
      className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain print:block"
    >
      <header className="border-b border-line py-5 ps-6 pe-16">
        <h2 className="text-lg font-semibold tracking-tight">
          Order <span className="font-mono text-base">{shortId(order.id)}</span>
          {order.number > 0 && <span className="ms-2 font-normal text-soft">#{order.number}</span>}
        </h2>
        <div className="mt-2 flex flex-wrap items-center gap-3 text-sm text-soft">
          <StatusBadge status={order.status} of={order} />
          <RefundFlag order={order} />
          <TestBadge isTest={order.isTest} />
          <DateTime at={order.createdAt} />
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              onClick={() => navigation.openPanel({ kind: 'slips', ids: [order.id] })}
            >
              <ReceiptText aria-hidden className="size-4" />
              Packing slip
            </Button>
            <Button size="small" onClick={() => window.print()}>
              <Printer aria-hidden className="size-4" />
              Print
            </Button>
          </div>
        </div>
      </header>
      <div className="flex flex-col gap-6 px-6 py-6">
        <OrderNotices order={order} hrefOf={navigation.hrefOfOrder} onRefund={openRefund} />
        <Product order={order} />
        <BuyerNote order={order} />
        <CustomerSection
          order={order}
          onCorrect={() => navigation.openPanel({ kind: 'customer', id: order.id })}
        />
        <ParcelSection
          order={order}
          onTrack={() => navigation.openPanel({ kind: 'tracking', id: order.id })}
        />
        <PaymentSection order={order} onRefund={openRefund} />
        <NotesSection order={order} />
        <HistorySection order={order} />
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
        {product.choice && (
          <p className="text-sm font-medium wrap-anywhere">
            {product.choice.name}: {product.choice.value}
          </p>
        )}
        <p className="text-sm text-soft">Quantity {quantity}</p>
      </div>
      <bdi className="ms-auto font-semibold">{formatMoney(amount, currency)}</bdi>
    </div>
  )
}

/** What has to be engraved or enclosed: prominent, and copied as it was written. */
function BuyerNote({ order }: OrderProps) {
  const { note } = order
  if (note === undefined) return null
  return (
    <section className="rounded-xl border border-accent/40 bg-accent-wash px-4 py-3.5">
      <div className="flex items-start justify-between gap-3">
        <h3 className="text-sm text-soft wrap-anywhere">{titleOfNote(order)}</h3>
        <CopyButton
          text={note}
          name="Copy the buyer’s text"
          className="-my-1.5 -me-2 shrink-0 print:hidden"
        />
      </div>
      <p className="mt-1 font-medium whitespace-pre-line wrap-anywhere">
        <bdi>{note}</bdi>
      </p>
    </section>
  )
}
