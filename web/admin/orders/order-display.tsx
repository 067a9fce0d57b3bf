import { Check, Copy } from 'lucide-react'
import type { ReactNode } from 'react'

import { type Address, type AdminOrder, nameWithValue } from '#contract/orders.ts'
import { findReturnedLabel } from '#contract/returned-money.ts'
import { formatAge, formatDate } from '#web/admin/dates.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ProductPicture } from '#web/ui/product-picture.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

import type { OrderColumn } from './order-table.tsx'
import { formatFullAddress, formatListAddress, noValue, shortId } from './order-text.ts'

type CopyButtonProps = { text: string; name: string; className?: string }

export function CopyButton({ text, name, className = '' }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(text)
  return (
    <IconButton
      size="smallIcon"
      icon={isCopied ? Check : Copy}
      name={name}
      onClick={copy}
      className={`text-muted [&>svg]:size-3.5 ${className}`}
    />
  )
}

/** 'Nov 15, 2026 at 9:05 AM'; in a narrow column the line breaks between day and time. */
export function DateTime({ at, className }: { at: string; className?: string }) {
  const { day, time } = formatDate(at)
  return (
    <time dateTime={at} title={formatAge(at)} className={className}>
      <span className="whitespace-nowrap">{day}</span>{' '}
      <span className="whitespace-nowrap">{time}</span>
    </time>
  )
}

export function FullAddress({ address }: { address: Address }) {
  return (
    <address className="not-italic wrap-anywhere">
      {[...formatFullAddress(address).entries()].map(([index, line]) => (
        <span key={index} className="block">
          <bdi>{line}</bdi>
        </span>
      ))}
    </address>
  )
}

type CellProps = { order: AdminOrder }
type OrderLinkProps = CellProps & { href: string; onOpen: (id: string) => void }

/** The shortened number opens the order; the button copies the whole one. */
export function OrderLink({ order, href, onOpen }: OrderLinkProps) {
  return (
    <div className="flex items-center gap-0.5">
      <a
        href={href}
        title={order.id}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          onOpen(order.id)
        }}
        className="rounded-sm font-mono text-[0.8125rem] text-accent-strong underline decoration-accent/35 underline-offset-4 hover:decoration-current pointer-coarse:py-3"
      >
        {shortId(order.id)}
      </a>
      <CopyButton text={order.id} name="Copy order ID" className="@4xl:-my-1.5" />
    </div>
  )
}

export function RefundFlag({ order }: CellProps) {
  const label = findReturnedLabel(order)
  return label && <p className="mt-0.5 text-xs text-warning">{label}</p>
}

export function DuplicateFlag({ order: { maybeDuplicateOf } }: CellProps) {
  return maybeDuplicateOf && <p className="mt-1 text-xs text-warning">Possible duplicate</p>
}

/** What was over when the order was paid. */
export function SaleFlags({ order }: CellProps) {
  const labels = [
    order.isOversold && 'Oversold',
    order.isCodeOverused && 'Code over its limit',
    order.isChoiceMissing && 'Choice missing',
  ]
  return labels.map(
    (label) =>
      label && (
        <p key={label} className="mt-1 text-xs text-warning">
          {label}
        </p>
      ),
  )
}

export function WithdrawnFlag({ order: { withdrawnAt } }: CellProps) {
  return withdrawnAt && <p className="mt-1 text-xs text-warning">Withdrawn</p>
}

/** Wherever an order or a payment made in test mode is shown. */
export function TestBadge({ isTest }: { isTest: boolean }) {
  if (!isTest) return null
  return (
    <span className="inline-flex h-5 items-center rounded-full border border-warning-line bg-warning-wash px-2 align-middle text-xs font-medium text-warning group-data-compact/rows:h-4 group-data-compact/rows:leading-none">
      Test
    </span>
  )
}

/** Wherever the address of an order that is picked up is shown in a list. */
function PickupBadge() {
  return (
    <span className="me-1.5 inline-flex h-5 items-center rounded-full border border-line-strong bg-well px-2 align-middle text-xs font-medium text-soft group-data-compact/rows:h-4 group-data-compact/rows:leading-none">
      Pickup
    </span>
  )
}

/** The product is made or packed with what the buyer wrote, which the panel shows. */
function NoteHint({ note }: Pick<AdminOrder, 'note'>) {
  if (note === undefined) return null
  return (
    <p
      title={note}
      className="truncate text-[0.8125rem]/5 text-soft group-data-compact/rows:text-xs/4"
    >
      <span className="sr-only">The buyer wrote: </span>“<bdi>{note.split('\n')[0]}</bdi>”
    </p>
  )
}

export function PlacedAt({ order }: CellProps) {
  return (
    <DateTime
      at={order.createdAt}
      className="text-[0.8125rem]/5 text-soft @4xl:group-data-compact/rows:block @4xl:group-data-compact/rows:text-xs"
    />
  )
}

/** The columns that all lists of orders share. */
export const sharedColumns: OrderColumn[] = [
  {
    title: 'Product',
    look: 'min-w-0 [grid-area:product]',
    render: ({ product: { imageUrl, name, choice }, note, isTest }) => (
      <div className="flex min-w-0 items-center gap-3">
        <ProductPicture
          url={imageUrl}
          size="thumb"
          loading="lazy"
          placeholder="?"
          hasDashedPlaceholder
          className="size-10 rounded-lg group-data-compact/rows:size-7 group-data-compact/rows:rounded-md"
        />
        {/* In compact rows the badge stands beside a short name, and below one that needs the whole width. */}
        <div className="min-w-0 group-data-compact/rows:flex group-data-compact/rows:flex-wrap group-data-compact/rows:items-center group-data-compact/rows:gap-x-2">
          <p
            title={nameWithValue({ name: name || 'Unknown', ...(choice && { choice }) })}
            className="line-clamp-2 font-medium wrap-anywhere group-data-compact/rows:line-clamp-3 group-data-compact/rows:text-[0.8125rem]/4"
          >
            {name || 'Unknown'}
            {choice && <span className="font-normal"> · {choice.value}</span>}
          </p>
          <NoteHint note={note} />
          <TestBadge isTest={isTest} />
        </div>
      </div>
    ),
  },
  {
    title: 'Customer',
    look: 'min-w-0 [grid-area:customer]',
    render: ({ customerName, customerEmail, customerPhone }) => (
      <div className={linesLook}>
        <Line look="font-medium">{customerName || noValue}</Line>
        <Line look="text-soft">{customerEmail || noValue}</Line>
        <Line look="text-soft">{customerPhone || noValue}</Line>
      </div>
    ),
  },
  {
    title: 'Delivery Address',
    look: 'min-w-0 [grid-area:address]',
    render: ({ shippingAddress, isPickup }) => (
      <div className={linesLook}>
        {/* Keyed by index: two lines may be equal. */}
        {[...formatListAddress(shippingAddress).entries()].map(([index, line]) => (
          <Line
            key={index}
            look="text-soft first:text-ink"
            badge={isPickup && index === 0 && <PickupBadge />}
          >
            {line}
          </Line>
        ))}
      </div>
    ),
  },
]

/** In compact rows all lines are one. */
const linesLook = 'group-data-compact/rows:truncate'

/** What does not fit on the line is in its title. */
function Line({ look, badge, children }: { look: string; badge?: ReactNode; children: string }) {
  return (
    <bdi
      title={children}
      className={`block truncate text-[0.8125rem]/5 group-data-compact/rows:me-2 group-data-compact/rows:inline ${look}`}
    >
      {badge}
      {children}
    </bdi>
  )
}
