import { Check, Copy, Link2, Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

import { pages } from '#contract/paths.ts'
import type { Product } from '#contract/products.ts'
import { EmptyState } from '#web/admin/shell/page-states.tsx'
import { useCheckoutSettings, useProducts } from '#web/admin/products/use-products.ts'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

/** What to do to get the first visitor. */
export function FirstSteps() {
  const products = useProducts()
  const { linkOf, isPending } = useCheckoutSettings()
  if (products.isPending || isPending) return <Frame />
  const [newest] = products.data ?? []
  return (
    <Frame>{newest ? <ShareLink product={newest} link={linkOf(newest)} /> : <AddProduct />}</Frame>
  )
}

/** The negative margin cancels the one of EmptyState. */
function Frame({ children }: { children?: ReactNode }) {
  return <div className="-mt-8 min-h-96">{children}</div>
}

function AddProduct() {
  return (
    <EmptyState
      icon={Tag}
      title="Add a product to begin"
      description="Each product gets a checkout link. Its visits and sales are counted here from the first one on."
    >
      <Link
        href={pages.products}
        className="mt-6 inline-flex h-9 items-center rounded-lg bg-accent px-4 text-sm font-medium text-on-accent shadow-rest hover:bg-accent-strong pointer-coarse:h-11"
      >
        Add a product
      </Link>
    </EmptyState>
  )
}

function ShareLink({ product, link }: { product: Product; link: string }) {
  const { isCopied, copy } = useCopy(link)
  const Icon = isCopied ? Check : Copy
  return (
    <EmptyState
      icon={Link2}
      title="Waiting for the first visit"
      description={`Share the checkout link of ${product.name} in a mail, a post or a shop. Whoever opens it is counted here.`}
    >
      <div className="mt-6 flex flex-wrap items-center justify-center gap-2">
        <Button look="primary" onClick={copy}>
          <Icon aria-hidden className="size-4" />
          Copy checkout link
        </Button>
        <Link
          href={pages.products}
          className="inline-flex h-9 items-center rounded-lg px-4 text-sm font-medium text-soft hover:bg-ink/6 hover:text-ink pointer-coarse:h-11"
        >
          All your links
        </Link>
      </div>
    </EmptyState>
  )
}
