import { CodeXml, Pencil, Trash2 } from 'lucide-react'

import { formatMoney } from '#contract/money.ts'
import type { Product } from '#contract/products.ts'
import { tableRoles } from '#web/admin/table-roles.ts'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

import { LinkCell } from './link-cell.tsx'
import { ProductImage } from './product-image.tsx'
import type { ProductActions } from './product-table.tsx'

type ProductRowProps = ProductActions & { product: Product; link: string; isLeaving: boolean }

/** In a card: image at the start, name and price beside it, then the link, then who made it and what can be done. */
export function ProductRow({ product, link, isLeaving, ...actions }: ProductRowProps) {
  return (
    <tr
      {...tableRoles.row}
      aria-busy={isLeaving}
      className={classNames(
        'align-middle transition-colors hover:bg-well/60 @max-4xl:grid @max-4xl:grid-cols-[auto_minmax(0,1fr)_auto] @max-4xl:gap-x-4 @max-4xl:px-4 @max-4xl:py-4',
        isLeaving && 'opacity-50',
      )}
    >
      <td {...tableRoles.cell} className={`${cell} @4xl:ps-5 @max-4xl:row-span-2`}>
        <ProductImage url={product.imageUrl} />
      </td>
      <td {...tableRoles.cell} className={`${cell} min-w-28 font-medium wrap-anywhere`}>
        <span className="line-clamp-2" title={product.name}>
          {product.name}
        </span>
      </td>
      <td {...tableRoles.cell} className={`${cell} text-end font-medium whitespace-nowrap`}>
        <bdi>{formatMoney(product.price, product.currency)}</bdi>
      </td>
      <td
        {...tableRoles.cell}
        className={`${cell} text-[0.8125rem] text-soft @4xl:max-w-38 @max-4xl:col-span-2`}
      >
        <CreatedBy product={product} />
      </td>
      <td
        {...tableRoles.cell}
        className={`${cell} @max-4xl:col-span-3 @max-4xl:mt-3 @max-4xl:@min-[27rem]:col-span-2`}
      >
        <LinkCell link={link} />
      </td>
      <td
        {...tableRoles.cell}
        className={`${cell} @4xl:pe-5 @max-4xl:col-span-3 @max-4xl:@min-[27rem]:col-span-1 @max-4xl:@min-[27rem]:mt-3`}
      >
        <Actions product={product} isLeaving={isLeaving} {...actions} />
      </td>
    </tr>
  )
}

const cell = '@4xl:px-2.5 @4xl:py-3.5'

function CreatedBy({ product }: { product: Product }) {
  const who = product.createdByEmail ?? product.createdBy
  return (
    <p className="truncate" title={who}>
      <span className="@4xl:hidden">by </span>
      <bdi>{who}</bdi>
    </p>
  )
}

type ActionsProps = Omit<ProductRowProps, 'link'>

function Actions({ product, isLeaving, onShowBuyButton, onEdit, onDelete }: ActionsProps) {
  return (
    <div className="-me-2 flex justify-end">
      <IconButton
        icon={CodeXml}
        size="smallIcon"
        name="Get HTML Buy Button"
        onClick={() => onShowBuyButton(product)}
      />
      <IconButton
        icon={Pencil}
        size="smallIcon"
        name="Edit Product"
        onClick={() => onEdit(product)}
      />
      <IconButton
        icon={Trash2}
        size="smallIcon"
        name="Delete Product"
        isPending={isLeaving}
        onClick={() => onDelete(product)}
        className="hover:bg-danger-wash hover:text-danger"
      />
    </div>
  )
}
