import type { Product } from '#contract/products.ts'
import { tableRoles } from '#web/admin/shell/table-roles.ts'

import { ProductRow } from './product-row.tsx'

export type ProductActions = {
  onShowBuyButton: (product: Product) => void
  onEdit: (product: Product) => void
  onDelete: (product: Product) => void
}

type ProductTableProps = ProductActions & {
  products: Product[]
  linkOf: (product: Product) => string
  /** The one that is on its way out. */
  deletingId: string | undefined
}

const columns = [
  { title: 'Image', look: 'text-start' },
  { title: 'Name', look: 'w-full text-start' },
  { title: 'Price', look: 'text-end' },
  { title: 'Created By', look: 'text-start' },
  { title: 'Checkout Link', look: 'text-start' },
  { title: 'Actions', look: 'text-end' },
]

/** A table where there is room for one; where there is not, each row is laid out as a card. */
export function ProductTable({ products, linkOf, deletingId, ...actions }: ProductTableProps) {
  return (
    <div className="@container mt-8 rounded-2xl border border-line bg-card shadow-rest">
      <table {...tableRoles.table} aria-label="Products" className="w-full text-sm @max-4xl:block">
        <thead {...tableRoles.group} className="@max-4xl:sr-only">
          <tr {...tableRoles.row} className="border-b border-line text-xs text-muted">
            {columns.map(({ title, look }) => (
              <th
                key={title}
                {...tableRoles.header}
                scope="col"
                className={`px-2.5 py-3 font-medium whitespace-nowrap first:ps-5 last:pe-5 ${look}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...tableRoles.group} className="divide-y divide-line @max-4xl:block">
          {products.map((product) => (
            <ProductRow
              key={product.id}
              product={product}
              link={linkOf(product)}
              isLeaving={product.id === deletingId}
              {...actions}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
