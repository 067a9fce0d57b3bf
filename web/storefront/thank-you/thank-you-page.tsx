import type { ReactNode } from 'react'

import { findOtherBilling, formatAddress } from '#contract/addresses.ts'
import { carrierNames } from '#contract/carriers.ts'
import { fillText } from '#contract/languages.ts'
import { isSent, type OrderStatus, type PublicOrder, titleOfNote } from '#contract/orders.ts'
import { findPickupHours } from '#contract/pickup.ts'
import type { ThankYouPageData } from '#contract/public-pages.ts'
import { nameMethod } from '#contract/payment-methods.ts'
import { describeReturned, formatReturned } from '#contract/returned-money.ts'
import { isWithdrawable, type WithdrawalStatement } from '#contract/withdrawals.ts'
import { CopyButton, SecondaryButton } from '#web/storefront/shell/buttons.tsx'
import { fillNodes } from '#web/storefront/shell/fill-nodes.tsx'
import { Icon, type IconName } from '#web/storefront/shell/icon.tsx'
import { pageRootId, toastsId } from '#web/storefront/shell/page-data.ts'
import { showMoney } from '#web/storefront/shell/money.ts'
import { pageTexts, showCountry, showDate } from '#web/storefront/shell/page-texts.ts'
import { ShopContact } from '#web/storefront/shell/shop-contact.tsx'
import { ShopFooter, WithdrawLink } from '#web/storefront/shell/shop-footer.tsx'
import { ShopHeader } from '#web/storefront/shell/shop-header.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Perforation, Receipt } from '#web/ui/receipt.tsx'

import { OrderTotal } from './order-total.tsx'

/** Static HTML: it shows the order as it was when the page was loaded. */
export function ThankYouPage({ data: { order, shop, spoken } }: { data: ThankYouPageData }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-2xl flex-col overflow-x-clip px-4 print:min-h-0">
      <header className="py-6 sm:py-10">
        <ShopHeader
          product={order.product}
          fallback={shop.name ?? pageTexts().thankYou.yourOrder}
        />
      </header>
      <main id={pageRootId} className="flex-1">
        <Receipt>
          {isAllReturned(order) ? <Returned order={order} /> : <Thanks order={order} shop={shop} />}
          <Perforation />
          <OrderFacts order={order} shop={shop} />
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
                  {pageTexts().thankYou.changedYourMind}{' '}
                  <WithdrawLink
                    spoken={spoken}
                    className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2"
                  />
                </p>
              )}
            </div>
            <SecondaryButton data-print="">
              <Icon name="print" className="size-4" />
              {pageTexts().thankYou.print}
            </SecondaryButton>
          </div>
        </Receipt>
      </main>
      <ShopFooter
        shop={{ ...shop, isTestMode: order.isTest }}
        spoken={spoken}
        withdrawal={findWithdrawal(order, shop)}
      />
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
      {[
        name,
        postalAddress,
        vatNumber && fillText(pageTexts().thankYou.sellersVatNumber, { number: vatNumber }),
      ]
        .filter(Boolean)
        .join('\n')}
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
      <h1 className="text-3xl font-semibold tracking-tight">
        {pageTexts().returned.titles[returned.kind]}
      </h1>
      {!order.isTest && <p className="mt-1.5 text-lg text-soft">{describeMoneyBack(order)}</p>}
      <TestNotice order={order} />
    </div>
  )
}

/** What the shop refunded, and what their bank took back. */
function describeMoneyBack(order: PublicOrder): string {
  return formatReturned(order, pageTexts().returned, (amount) => showMoney(amount, order.currency))
}

function TestNotice({ order: { isTest } }: OrderProps) {
  if (!isTest) return null
  return (
    <p className="mt-4 rounded-xl border border-warning-line bg-warning-wash px-4 py-3 text-[0.9375rem]/6 text-warning">
      <strong className="font-semibold">{pageTexts().thankYou.testOrder}</strong>{' '}
      {pageTexts().thankYou.testNote}
    </p>
  )
}

function Thanks({ order, shop }: Pick<ThankYouPageData, 'order' | 'shop'>) {
  const texts = pageTexts().thankYou
  const mailText = shop.sendsMails ? texts.mailSent : texts.noMails
  return (
    <div className="px-5 pt-6 pb-7 sm:px-10">
      <Icon name="check" className="size-12 text-completed" strokeWidth={1.5} />
      <h1 className="mt-4 text-3xl font-semibold tracking-tight">{texts.title}</h1>
      <p className="mt-1.5 text-lg text-soft">{texts.confirmed}</p>
      <TestNotice order={order} />
      {order.customerEmail && (
        <p className="mt-3 text-[0.9375rem]/6 text-soft">
          {fillNodes(order.isTest ? texts.mailOfTest : mailText, {
            email: <bdi className="font-medium text-ink wrap-anywhere">{order.customerEmail}</bdi>,
          })}
        </p>
      )}
    </div>
  )
}

function OrderFacts({ order, shop }: Pick<ThankYouPageData, 'order' | 'shop'>) {
  const { id, createdAt, shippingAddress, paymentMethod } = order
  const billingAddress = findOtherBilling(order)
  const pickupHours = findPickupHours(order, shop.delivery.pickup)
  const texts = pageTexts().thankYou

  return (
    <dl className="grid gap-x-8 gap-y-6 px-5 py-7 sm:grid-cols-2 sm:px-10">
      <Fact label={texts.orderNumber} isWide>
        <span className="flex items-start gap-1">
          <bdi className="font-mono text-sm/6">{id}</bdi>
          <CopyButton text={id} label={texts.copyOrderNumber} />
        </span>
      </Fact>
      <Fact label={texts.status}>
        <StatusBadge order={order} />
      </Fact>
      <Fact label={texts.date}>
        <time dateTime={createdAt}>{showDate(createdAt)}</time>
      </Fact>
      {order.note && (
        <Fact label={titleOfNote(order)} isWide>
          <bdi className="whitespace-pre-line">{order.note}</bdi>
        </Fact>
      )}
      <Parcel order={order} />
      <Fact label={order.isPickup ? texts.pickupAt : texts.shippingAddress}>
        <AddressLines address={shippingAddress} />
      </Fact>
      {pickupHours && (
        <Fact label={texts.pickupHours}>
          <bdi>{pickupHours}</bdi>
        </Fact>
      )}
      <Fact label={texts.paymentMethod}>{nameMethod(paymentMethod, texts.card)}</Fact>
      {billingAddress && (
        <Fact label={texts.billingAddress}>
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
  const texts = pageTexts().thankYou
  return (
    <Fact label={texts.parcel} isWide>
      {carrier !== 'other' && <span className="block">{carrierNames[carrier]}</span>}
      {trackingNumber && (
        <span className="flex items-start gap-1">
          <bdi className="font-mono text-sm/6">{trackingNumber}</bdi>
          <CopyButton text={trackingNumber} label={texts.copyTracking} />
        </span>
      )}
      {trackingUrl && (
        <a
          href={trackingUrl}
          target="_blank"
          rel="noopener noreferrer"
          className="font-medium text-accent underline underline-offset-2 pointer-coarse:inline-block pointer-coarse:py-2.5"
        >
          {texts.track}
          <span className="sr-only"> {pageTexts().footer.newTab}</span>
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
  const lines = [
    ...formatAddress(address, showCountry(address.country)),
    ...(address.phone ? [address.phone] : []),
  ]

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

type StatusView = {
  text: 'preparing' | 'onItsWay' | 'readyForPickup' | 'completed'
  icon: IconName
  colors: string
  doneSteps: number
}

const beingPrepared: StatusView = {
  text: 'preparing',
  icon: 'parcel',
  colors: 'bg-processing-wash text-processing',
  doneSteps: 1,
}

/** "Pending" would worry a buyer who has paid. */
const statusViews: Record<OrderStatus, StatusView> = {
  pending: beingPrepared,
  processing: beingPrepared,
  shipped: {
    text: 'onItsWay',
    icon: 'truck',
    colors: 'bg-shipped-wash text-shipped',
    doneSteps: 3,
  },
  completed: {
    text: 'completed',
    icon: 'check',
    colors: 'bg-completed-wash text-completed',
    doneSteps: 3,
  },
}

const readyForPickup: StatusView = {
  ...statusViews.shipped,
  text: 'readyForPickup',
  icon: 'parcel',
}

/** What is still in the shop is not being prepared, nor kept for the buyer, once its money went back. */
function findStatusView(order: PublicOrder): Omit<StatusView, 'text'> & { label: string } {
  const isReady = order.isPickup && order.status === 'shipped'
  const view = isReady ? readyForPickup : statusViews[order.status]
  const returned = describeReturned(order)
  const isInShop = view === beingPrepared || view === readyForPickup
  if (!isInShop || returned.extent !== 'all')
    return { ...view, label: pageTexts().thankYou[view.text] }
  return {
    ...view,
    label: pageTexts().returned.labels[returned.kind],
    icon: 'card',
    colors: 'bg-pending-wash text-pending',
  }
}

function StatusBadge({ order }: OrderProps) {
  const { label, icon, colors } = findStatusView(order)

  return (
    <output
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-medium',
        colors,
      )}
    >
      <Icon name={icon} className="size-3.5" />
      {label}
    </output>
  )
}

function listSteps({ isTest, isPaid, isPickup }: PublicOrder): string[] {
  const { steps, testSteps } = pageTexts().thankYou
  const last = isPickup ? 'pickup' : 'sent'
  if (isTest) return [testSteps.paid, testSteps.packed, testSteps[last]]
  return [isPaid ? steps.paid : steps.unpaid, steps.packed, steps[last]]
}

function NextSteps({ order }: OrderProps) {
  return (
    <section aria-labelledby="next-heading" className="px-5 py-7 sm:px-10">
      <h2 id="next-heading" className="text-lg font-semibold tracking-tight">
        {pageTexts().thankYou.next}
      </h2>
      <ol className="mt-4 space-y-4">
        {listSteps(order).map((text, index) => {
          const isDone = index < statusViews[order.status].doneSteps
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
                {isDone && <span className="sr-only"> {pageTexts().thankYou.done}</span>}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
