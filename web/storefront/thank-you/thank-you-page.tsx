import type { ReactNode } from 'react'

import { findOtherBilling, formatAddress } from '#contract/addresses.ts'
import { carrierNames } from '#contract/carriers.ts'
import { formatMoney, includedVat } from '#contract/money.ts'
import { isSent, type OrderStatus, type PublicOrder } from '#contract/orders.ts'
import type { ThankYouPageData } from '#contract/public-pages.ts'
import {
  describeReturned,
  findReturnedLabel,
  formatReturned,
  listReturned,
} from '#contract/returned-money.ts'
import { isWithdrawable, type WithdrawalStatement } from '#contract/withdrawals.ts'
import { CopyButton, SecondaryButton } from '#web/storefront/shell/buttons.tsx'
import { Icon, type IconName } from '#web/storefront/shell/icon.tsx'
import { pageRootId, toastsId } from '#web/storefront/shell/page-data.ts'
import { ProductLine } from '#web/storefront/shell/product-line.tsx'
import { ShopContact, ShopFooter, WithdrawLink } from '#web/storefront/shell/shop-footer.tsx'
import { ShopHeader } from '#web/storefront/shell/shop-header.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Perforation, Receipt } from '#web/ui/receipt.tsx'

/** Static HTML: it shows the order as it was when the page was loaded. */
export function ThankYouPage({ data: { order, shop } }: { data: ThankYouPageData }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-2xl flex-col overflow-x-clip px-4 print:min-h-0">
      <header className="py-6 sm:py-10">
        <ShopHeader product={order.product} fallback={shop.name ?? 'Your order'} />
      </header>
      <main id={pageRootId} className="flex-1">
        <Receipt>
          {isAllReturned(order) ? <Returned order={order} /> : <Thanks order={order} />}
          <Perforation />
          <OrderFacts order={order} />
          <Perforation />
          <OrderTotal order={order} />
          <Perforation />
          {!isAllReturned(order) && (
            <>
              <NextSteps order={order} />
              <Perforation />
            </>
          )}
          <div className="flex flex-wrap items-center justify-between gap-4 px-5 pt-6 pb-8 text-[0.9375rem] text-soft sm:px-10">
            <div className="min-w-0">
              <Seller shop={shop} />
              <ShopContact shop={shop} />
              {findWithdrawal(order, shop) && (
                <p className="print:hidden">
                  Changed your mind?{' '}
                  <WithdrawLink className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2" />
                </p>
              )}
            </div>
            <SecondaryButton data-print="">
              <Icon name="print" className="size-4" />
              Print
            </SecondaryButton>
          </div>
        </Receipt>
      </main>
      <ShopFooter shop={shop} withdrawal={findWithdrawal(order, shop)} />
      <div id={toastsId} />
    </div>
  )
}

/** What a withdrawal from this order begins with; null where there is no right to it. */
function findWithdrawal(
  order: PublicOrder,
  { policies }: ThankYouPageData['shop'],
): Partial<WithdrawalStatement> | null {
  const { id, customerName, customerEmail, isOwn } = order
  if (!isWithdrawable(order, policies.withdrawalFor)) return null
  // For others than the buyer the address is masked.
  if (!isOwn) return { orderNumber: id }
  return {
    orderNumber: id,
    ...(customerName && { name: customerName }),
    ...(customerEmail && { email: customerEmail }),
  }
}

/** What a receipt says of who sold it. */
function Seller({ shop: { name, postalAddress, vatNumber } }: Pick<ThankYouPageData, 'shop'>) {
  if (!postalAddress && !vatNumber) return null
  return (
    <address className="mb-3 wrap-anywhere whitespace-pre-line not-italic">
      {[name, postalAddress, vatNumber && `VAT number ${vatNumber}`].filter(Boolean).join('\n')}
    </address>
  )
}

type OrderProps = { order: PublicOrder }

/** If all was returned, nothing may say that the order is paid or being prepared. */
function isAllReturned(order: PublicOrder): boolean {
  return describeReturned(order).extent === 'all'
}

/** Instead of the thanks, once all the money went back. */
function Returned({ order }: OrderProps) {
  const returned = describeReturned(order)
  if (returned.extent === 'none') return null
  return (
    <div className="px-5 pt-6 pb-7 sm:px-10">
      <h1 className="text-3xl font-semibold tracking-tight">{returnedTitles[returned.kind]}</h1>
      <p className="mt-1.5 text-lg text-soft">{formatReturned(order, order.currency)}</p>
      <TestNotice order={order} />
    </div>
  )
}

const returnedTitles = {
  refund: 'Your order was refunded',
  chargeback: 'Your order was charged back',
  both: 'Your order was refunded and charged back',
}

function TestNotice({ order: { isTest } }: OrderProps) {
  if (!isTest) return null
  return (
    <p className="mt-4 rounded-xl border border-warning-line bg-warning-wash px-4 py-3 text-[0.9375rem]/6 text-warning">
      <strong className="font-semibold">Test order:</strong> no money was taken, nothing will be
      delivered.
    </p>
  )
}

function Thanks({ order }: OrderProps) {
  return (
    <div className="px-5 pt-6 pb-7 sm:px-10">
      <Icon name="check" className="size-12 text-completed" strokeWidth={1.5} />
      <h1 className="mt-4 text-3xl font-semibold tracking-tight">Thank you!</h1>
      <p className="mt-1.5 text-lg text-soft">Your order has been confirmed</p>
      <TestNotice order={order} />
      {order.customerEmail && (
        <p className="mt-3 text-[0.9375rem]/6 text-soft">
          {order.isTest
            ? 'As this is a test, no confirmation email is sent to '
            : 'A confirmation email is on its way to '}
          <bdi className="font-medium text-ink wrap-anywhere">{order.customerEmail}</bdi>
        </p>
      )}
    </div>
  )
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

function OrderFacts({ order }: OrderProps) {
  const { id, createdAt, shippingAddress, paymentMethod } = order
  const billingAddress = findOtherBilling(order)

  return (
    <dl className="grid gap-x-8 gap-y-6 px-5 py-7 sm:grid-cols-2 sm:px-10">
      <Fact label="Order number" isWide>
        <span className="flex items-start gap-1">
          <bdi className="font-mono text-sm/6">{id}</bdi>
          <CopyButton text={id} label="Copy order number" />
        </span>
      </Fact>
      <Fact label="Status">
        <StatusBadge order={order} />
      </Fact>
      <Fact label="Date">
        <time dateTime={createdAt}>{dateFormat.format(new Date(createdAt))}</time>
      </Fact>
      <Parcel order={order} />
      <Fact label="Shipping address">
        <AddressLines address={shippingAddress} />
      </Fact>
      <Fact label="Payment method">{capitalize(paymentMethod ?? 'card')}</Fact>
      {billingAddress && (
        <Fact label="Billing address">
          <AddressLines address={billingAddress} />
        </Fact>
      )}
    </dl>
  )
}

/** The parcel of an order that is sent. Strangers get none. */
function Parcel({ order }: OrderProps) {
  const { shipment } = order
  if (!shipment || !isSent(order)) return null
  const { carrier, trackingNumber, trackingUrl } = shipment
  return (
    <Fact label="Parcel" isWide>
      {carrier !== 'other' && <span className="block">{carrierNames[carrier]}</span>}
      {trackingNumber && (
        <span className="flex items-start gap-1">
          <bdi className="font-mono text-sm/6">{trackingNumber}</bdi>
          <CopyButton text={trackingNumber} label="Copy tracking number" />
        </span>
      )}
      {trackingUrl && (
        <a
          href={trackingUrl}
          target="_blank"
          rel="noopener noreferrer"
          className="font-medium text-accent underline underline-offset-2 pointer-coarse:inline-block pointer-coarse:py-2.5"
        >
          Track your parcel
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
    </Fact>
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

/** Only the buyer sees the whole address; anyone else who has the link sees the country. */
function AddressLines({ address }: { address: PublicOrder['shippingAddress'] }) {
  const lines = [...formatAddress(address), ...(address.phone ? [address.phone] : [])]

  return (
    <address className="not-italic">
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two lines may be equal, and none ever moves
        <bdi key={index} className="block">
          {line}
        </bdi>
      ))}
    </address>
  )
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

type StatusView = { text: string; icon: IconName; colors: string; doneSteps: number }

const beingPrepared: StatusView = {
  text: 'Being prepared',
  icon: 'parcel',
  colors: 'bg-processing-wash text-processing',
  doneSteps: 1,
}

/** "Pending" would worry a buyer who has paid. */
const statusViews: Record<OrderStatus, StatusView> = {
  pending: beingPrepared,
  processing: beingPrepared,
  shipped: {
    text: 'On its way',
    icon: 'truck',
    colors: 'bg-shipped-wash text-shipped',
    doneSteps: 3,
  },
  completed: {
    text: 'Completed',
    icon: 'check',
    colors: 'bg-completed-wash text-completed',
    doneSteps: 3,
  },
}

/** What is not sent yet is not being prepared once its money went back. */
function findStatusView(order: PublicOrder): StatusView {
  const view = statusViews[order.status]
  if (view !== beingPrepared || !isAllReturned(order)) return view
  return {
    ...view,
    text: findReturnedLabel(order) ?? '',
    icon: 'card',
    colors: 'bg-pending-wash text-pending',
  }
}

function StatusBadge({ order }: OrderProps) {
  const { text, icon, colors } = findStatusView(order)

  return (
    <output
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-medium',
        colors,
      )}
    >
      <Icon name={icon} className="size-3.5" />
      {text}
    </output>
  )
}

function OrderTotal({ order }: OrderProps) {
  const amount = formatMoney(order.amount, order.currency)

  return (
    <div className="px-5 py-7 sm:px-10">
      <ProductLine product={order.product} price={<bdi>{amount}</bdi>}>
        <p className="mt-0.5 text-sm text-soft">Quantity {order.quantity}</p>
      </ProductLine>
      <dl className="mt-5 space-y-2 text-[0.9375rem]">
        <div className="flex justify-between gap-4">
          <dt className="text-soft">Shipping</dt>
          <dd>Free</dd>
        </div>
        <div className="flex items-baseline justify-between gap-4">
          <dt className="font-semibold">Total</dt>
          <dd className="text-xl font-semibold tracking-tight">
            <span className="me-2 text-sm font-normal tracking-normal text-muted">
              {order.currency}
            </span>
            <bdi>{amount}</bdi>
          </dd>
        </div>
        {order.product.vatRate && (
          <div className="flex justify-between gap-4 text-sm text-muted">
            <dt>Including {order.product.vatRate}% VAT</dt>
            <dd>
              <bdi>
                {formatMoney(includedVat(order.amount, order.product.vatRate), order.currency)}
              </bdi>
            </dd>
          </div>
        )}
        {listReturned(order).map((returned) => (
          <div key={returned.label} className="flex justify-between gap-4 font-medium">
            <dt>{returned.label}</dt>
            <dd>
              <bdi>{formatMoney(returned.amount, order.currency)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const steps = [
  'The shop has your order and your payment',
  'Your order is prepared and packed',
  'Your parcel is on its way by Standard Shipping',
]

const stepsWithoutPayment = ['The shop has your order', ...steps.slice(1)]

const testSteps = [
  'The shop has your test order, and no payment',
  'A real order would now be prepared and packed',
  'A real parcel would then be on its way by Standard Shipping',
]

function NextSteps({ order: { status, isTest, isPaid } }: OrderProps) {
  const texts = isTest ? testSteps : isPaid ? steps : stepsWithoutPayment
  return (
    <section aria-labelledby="next-heading" className="px-5 py-7 sm:px-10">
      <h2 id="next-heading" className="text-lg font-semibold tracking-tight">
        {"What's next"}
      </h2>
      <ol className="mt-4 space-y-4">
        {texts.map((text, index) => {
          const isDone = index < statusViews[status].doneSteps
          return (
            <li key={text} className="flex gap-3.5 text-[0.9375rem]/6">
              <span
                className={classNames(
                  'grid size-6 shrink-0 place-items-center rounded-full text-[0.8125rem] font-medium',
                  isDone ? 'bg-accent text-on-accent' : 'border border-line-strong text-muted',
                )}
              >
                {isDone ? <Icon name="tick" className="size-3.5" strokeWidth={3} /> : index + 1}
              </span>
              <span className={isDone ? undefined : 'text-soft'}>
                {text}
                {isDone && <span className="sr-only"> (done)</span>}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
