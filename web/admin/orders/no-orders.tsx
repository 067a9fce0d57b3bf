import { PackageOpen, ReceiptText, SearchX } from 'lucide-react'
import { Link } from 'wouter'

import { EmptyState } from '#web/admin/empty-state.tsx'
import { Button } from '#web/ui/button.tsx'

import type { OrderSearch } from './order-search.ts'
import { statusLabels } from './order-text.ts'

type NoOrdersProps = { search: OrderSearch; allHref: string; onClear: () => void }

/** None at all, none of a status and none found are three different things. */
export function NoOrders({ search: { q, status }, allHref, onClear }: NoOrdersProps) {
  if (q) {
    return (
      <EmptyState
        icon={SearchX}
        title="No orders match your search"
        description={`Nothing found for “${q}”${status ? ` among ${status} orders` : ''}. You can search by order ID, name, email or product.`}
      >
        <Button onClick={onClear} className="mt-6">
          Clear search
        </Button>
      </EmptyState>
    )
  }
  if (status) {
    return (
      <EmptyState
        icon={PackageOpen}
        title={`No ${status} orders`}
        description={`Orders that are ${statusLabels[status].toLowerCase()} are listed here.`}
      >
        <ShowAll href={allHref} />
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={ReceiptText}
      title="No orders yet"
      description="An order appears here as soon as a customer has paid."
    />
  )
}

export function ShowAll({ href }: { href: string }) {
  return (
    <Link
      href={href}
      className="mt-6 inline-flex h-9 items-center rounded-lg border border-line-strong/60 bg-card px-4 text-sm font-medium shadow-rest hover:border-line-strong hover:bg-well pointer-coarse:h-11"
    >
      Show all orders
    </Link>
  )
}
