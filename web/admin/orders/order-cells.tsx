import { formatMoney } from '#contract/money.ts'
import type { AdminOrder } from '#contract/orders.ts'

import { CopyButton } from './copy-button.tsx'
import { Moment } from './moment.tsx'
import { maybeMoneyBack, missing, placeLines, shortId } from './order-words.ts'
import { ProductPicture } from './product-picture.tsx'

type CellProps = { order: AdminOrder }

/** The number, which opens the order, and its whole length for the clipboard. */
export function OrderNumber({ order, href, onOpen }: CellProps & OpenOrder) {
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

export type OpenOrder = { href: string; onOpen: (id: string) => void }

export function OrderedProduct({ order: { product } }: CellProps) {
  const name = product.name || 'Unknown'
  return (
    <div className="flex min-w-0 items-center gap-3">
      <ProductPicture url={product.imageUrl} />
      <p title={name} className="line-clamp-2 min-w-0 font-medium wrap-anywhere">
        {name}
      </p>
    </div>
  )
}

/** What was given back need not be sent. */
export function MoneyBackFlag({ order }: CellProps) {
  const words = maybeMoneyBack(order)
  return words && <p className="mt-0.5 text-xs text-warning">{words}</p>
}

/** Two payments of one person may be two orders, or one too many. */
export function DuplicateFlag({ order: { maybeDuplicateOf } }: CellProps) {
  return maybeDuplicateOf && <p className="mt-1 text-xs text-warning">Possible duplicate</p>
}

export function Customer({ order }: CellProps) {
  const { customerName, customerEmail, customerPhone } = order
  return (
    <>
      <Line look="font-medium">{customerName || missing}</Line>
      <Line look="text-soft">{customerEmail || missing}</Line>
      <Line look="text-soft">{customerPhone || missing}</Line>
    </>
  )
}

export function DeliveryAddress({ order }: CellProps) {
  // By its place: two lines may read the same, and a row is used again for other orders.
  return [...placeLines(order.shippingAddress).entries()].map(([place, line]) => (
    <Line key={place} look="text-soft first:text-ink">
      {line}
    </Line>
  ))
}

export function Amount({ order }: CellProps) {
  return (
    <bdi className="font-medium wrap-anywhere">{formatMoney(order.amount, order.currency)}</bdi>
  )
}

export function PlacedAt({ order }: CellProps) {
  return <Moment at={order.createdAt} className="text-[0.8125rem]/5 text-soft" />
}

/** One line of a cell; what does not fit is in its title, and whole beside the list. */
function Line({ look, children }: { look: string; children: string }) {
  return (
    <bdi title={children} className={`block truncate text-[0.8125rem]/5 ${look}`}>
      {children}
    </bdi>
  )
}
