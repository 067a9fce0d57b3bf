import {
  Check,
  CirclePause,
  CirclePlay,
  CodeXml,
  Copy,
  CopyPlus,
  ExternalLink,
  Pencil,
  Trash2,
} from 'lucide-react'
import { useId } from 'react'

import type { LinkHealth, Product } from '#contract/products.ts'
import { formatMoney } from '#contract/money.ts'
import { tableRoles } from '#web/admin/shell/table-roles.ts'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { ProductPicture } from '#web/ui/product-picture.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { useIsPrinting } from '#web/ui/use-is-printing.ts'

import { LinkHealthDot } from './link-health.tsx'
import { countHeld, countLeft, describeValues } from './product-list.ts'
import { shortenLink } from './use-products.ts'

type ProductActions = {
  onShowBuyButton: (product: Product) => void
  onEdit: (product: Product) => void
  onDuplicate: (product: Product) => void
  onPause: (product: Product) => void
  onDelete: (product: Product) => void
}

type ProductTableProps = ProductActions & {
  products: Product[]
  health: LinkHealth | undefined
  linkOf: (product: Product) => string
  deletingId: string | undefined
}

const columns = [
  { title: 'Image', className: 'text-start' },
  { title: 'Name', className: 'w-full text-start' },
  { title: 'Price', className: 'text-end' },
  { title: 'Created By', className: 'text-start' },
  { title: 'Checkout Link', className: 'text-start' },
  { title: 'Actions', className: 'text-end print:hidden' },
]

/** In a narrow container each row is laid out as a card. */
export function ProductTable(props: ProductTableProps) {
  const { products, health, linkOf, deletingId, ...actions } = props
  return (
    <div className="@container mt-8 rounded-2xl border border-line bg-card shadow-rest">
      <table {...tableRoles.table} aria-label="Products" className="w-full text-sm @max-4xl:block">
        <thead {...tableRoles.group} className="@max-4xl:sr-only">
          <tr {...tableRoles.row} className="border-b border-line text-xs text-muted">
            {columns.map(({ title, className }) => (
              <th
                key={title}
                {...tableRoles.header}
                scope="col"
                className={`px-2 py-3 font-medium whitespace-nowrap first:ps-5 last:pe-5 ${className}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...tableRoles.group} className="divide-y divide-line @max-4xl:block">
          {products.map((product) => (
            <Row
              key={product.id}
              product={product}
              health={health}
              link={linkOf(product)}
              isDeleting={product.id === deletingId}
              {...actions}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = ProductActions & {
  product: Product
  health: LinkHealth | undefined
  link: string
  isDeleting: boolean
}

/** The element with the product's name: it says which product a button is about. */
type NameId = { nameId: string }

const cell = '@4xl:px-2 @4xl:py-3.5'

/** As a card: the image, with name and price beside it, then the link, then the creator and the actions. */
function Row({ product, health, link, isDeleting, ...actions }: RowProps) {
  const creator = product.createdByEmail ?? product.createdBy
  const left = countLeft(product)
  const values = describeValues(product)
  const nameId = useId()

  return (
    <tr
      {...tableRoles.row}
      aria-busy={isDeleting}
      className={classNames(
        'align-middle transition-colors hover:bg-well/60 @max-4xl:grid @max-4xl:grid-cols-[auto_minmax(0,1fr)_auto] @max-4xl:gap-x-4 @max-4xl:px-4 @max-4xl:py-4',
        isDeleting && 'opacity-50',
      )}
    >
      <td {...tableRoles.cell} className={`${cell} @4xl:ps-5 @max-4xl:row-span-2`}>
        <ProductPicture
          url={product.imageUrl}
          size="thumb"
          loading="lazy"
          placeholder="No image"
          hasDashedPlaceholder
          className="size-12 rounded-lg text-center text-[0.6875rem]/3"
        />
      </td>
      <td {...tableRoles.cell} className={`${cell} min-w-28 font-medium wrap-anywhere`}>
        <span id={nameId} className="line-clamp-2" title={product.name}>
          {product.name}
        </span>
        {product.isPaused && <PausedBadge />}
        {left !== undefined && <StockBadge left={left} held={countHeld(product)} />}
        {values && <span className="mt-1 block text-xs text-soft wrap-anywhere">{values}</span>}
      </td>
      <td {...tableRoles.cell} className={`${cell} text-end font-medium whitespace-nowrap`}>
        <bdi>{formatMoney(product.price, product.currency)}</bdi>
      </td>
      <td
        {...tableRoles.cell}
        className={`${cell} text-[0.8125rem] text-soft @4xl:max-w-22 @max-4xl:col-span-2`}
      >
        <p className="truncate" title={creator}>
          <span className="@4xl:hidden">by </span>
          <bdi>{creator}</bdi>
        </p>
      </td>
      <td
        {...tableRoles.cell}
        className={`${cell} @max-4xl:col-span-3 @max-4xl:mt-3 @max-4xl:@min-[27rem]:col-span-2`}
      >
        <CheckoutLink link={link} product={product} nameId={nameId} health={health} />
      </td>
      <td
        {...tableRoles.cell}
        className={`${cell} @4xl:pe-5 @max-4xl:col-span-3 @max-4xl:@min-[27rem]:col-span-1 @max-4xl:@min-[27rem]:mt-3`}
      >
        <Actions product={product} nameId={nameId} isDeleting={isDeleting} {...actions} />
      </td>
    </tr>
  )
}

/** Not by colour alone, and not only in the menu that would resume it. */
function PausedBadge() {
  return (
    <span className="mt-1 flex w-fit items-center gap-1 rounded-full bg-pending-wash px-2 py-0.5 text-xs font-medium text-pending">
      <CirclePause aria-hidden className="size-3.5" />
      Paused
    </span>
  )
}

/** Of a product whose pieces are counted. */
function StockBadge({ left, held }: { left: number; held: number }) {
  return (
    <span
      className={classNames(
        'mt-1 block w-fit rounded-full px-2 py-0.5 text-xs font-medium',
        left > 0 ? 'bg-well text-soft' : 'bg-pending-wash text-pending',
      )}
    >
      {left > 0 ? `${left} left` : 'Sold out'}
      {held > 0 && `, ${held} held`}
    </span>
  )
}

type CheckoutLinkProps = Pick<RowProps, 'link' | 'product' | 'health'> & NameId

function CheckoutLink({ link, product, nameId, health }: CheckoutLinkProps) {
  const { isCopied, copy } = useCopy(link)
  const isPrinting = useIsPrinting()

  return (
    <div className="flex items-center @max-[27rem]:-me-2">
      <LinkHealthDot product={product} link={link} health={health} />
      <bdi
        title={link}
        className="me-1 min-w-0 print:min-w-96 truncate text-xs text-soft @max-[27rem]:flex-1"
      >
        {isPrinting ? link : shortenLink(link)}
      </bdi>
      <IconButton
        size="smallIcon"
        icon={isCopied ? Check : Copy}
        name="Copy link"
        aria-describedby={nameId}
        onClick={copy}
      />
      <Tooltip content="Open in new tab">
        <a
          href={link}
          target="_blank"
          rel="noopener"
          aria-label="Open in new tab"
          aria-describedby={nameId}
          className="grid size-8 shrink-0 place-items-center rounded-lg text-soft transition-colors hover:bg-ink/6 hover:text-ink pointer-coarse:size-11"
        >
          <ExternalLink aria-hidden className="size-4.5" />
        </a>
      </Tooltip>
    </div>
  )
}

type ActionsProps = Omit<RowProps, 'link' | 'health'> & NameId

function Actions({ product, nameId, isDeleting, ...actions }: ActionsProps) {
  return (
    <div className="-me-2 flex items-center justify-end">
      <IconButton
        icon={CodeXml}
        size="small"
        name="Get HTML Buy Button"
        word="Buy Button"
        aria-describedby={nameId}
        onClick={() => actions.onShowBuyButton(product)}
      />
      <IconButton
        icon={Pencil}
        size="smallIcon"
        name="Edit Product"
        aria-describedby={nameId}
        onClick={() => actions.onEdit(product)}
      />
      <IconButton
        icon={Trash2}
        size="smallIcon"
        name="Delete Product"
        aria-describedby={nameId}
        isPending={isDeleting}
        onClick={() => actions.onDelete(product)}
        className="hover:bg-danger-wash hover:text-danger"
      />
      <Menu
        name="More actions"
        describedBy={nameId}
        items={[
          { icon: CopyPlus, label: 'Duplicate', onSelect: () => actions.onDuplicate(product) },
          product.isPaused
            ? { icon: CirclePlay, label: 'Resume', onSelect: () => actions.onPause(product) }
            : { icon: CirclePause, label: 'Pause', onSelect: () => actions.onPause(product) },
        ]}
      />
    </div>
  )
}

export function TableSkeleton() {
  return (
    <div className="mt-8 rounded-2xl border border-line bg-card shadow-rest">
      <p aria-live="polite" className="sr-only">
        Loading...
      </p>
      <div aria-hidden className="divide-y divide-line">
        {[1, 2, 3].map((row) => (
          <div key={row} className="flex h-20 items-center gap-4 px-5">
            <Skeleton className="size-12 rounded-lg" />
            <Skeleton className="h-4 w-40" />
            <Skeleton className="ms-auto h-4 w-16" />
            <Skeleton className="h-4 w-56 max-md:hidden" />
          </div>
        ))}
      </div>
    </div>
  )
}
