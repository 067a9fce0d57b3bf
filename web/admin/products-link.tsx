import { Link } from 'wouter'

import { pages } from '#contract/paths.ts'

export function ProductsLink() {
  return (
    <Link
      href={pages.products}
      className="mt-4 inline-flex h-9 items-center rounded-md text-sm font-medium text-accent underline underline-offset-4 hover:text-accent-strong pointer-coarse:h-11"
    >
      Go to your products
    </Link>
  )
}
