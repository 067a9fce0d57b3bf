import { BadgePercent, Link2, Pencil, Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'

import type { DiscountCode } from '#contract/discounts.ts'
import type { Product } from '#contract/products.ts'
import { LoopbackNotice } from '#web/admin/shell/loopback-notice.tsx'
import { LoadError } from '#web/admin/shell/page-states.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { SelectField } from '#web/ui/fields.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

import {
  describeDiscount,
  describeUses,
  makesCheaper,
  formatLastDay,
  stateLabels,
  useDeleteCode,
  useDiscountCodes,
  withCode,
} from './discount-codes.ts'
import { DiscountForm } from './discount-form.tsx'
import { useCheckoutSettings, useProducts } from './use-products.ts'

type OpenPart =
  | { name: 'form'; code: DiscountCode | undefined }
  | { name: 'link' | 'delete'; code: DiscountCode }

/** The owner's discount codes. */
export function DiscountsDialog({ onClose }: { onClose: () => void }) {
  const codes = useDiscountCodes()
  const { data: products = [] } = useProducts()
  const [part, setPart] = useState<OpenPart>()
  const close = () => setPart(undefined)
  const add = () => setPart({ name: 'form', code: undefined })

  return (
    <Dialog
      title="Discount codes"
      description="A checkout link with a code shows and charges the lower price."
      onClose={onClose}
      className="max-w-2xl"
    >
      {codes.isPending ? (
        <>
          <p aria-live="polite" className="sr-only">
            Loading...
          </p>
          <Skeleton className="h-28 w-full rounded-xl" />
        </>
      ) : codes.isError ? (
        <LoadError
          what="discount codes"
          isRetrying={codes.isFetching}
          onRetry={() => void codes.refetch()}
        />
      ) : codes.data.length === 0 ? (
        <NoCodes onAdd={add} />
      ) : (
        <>
          <Button look="primary" onClick={add}>
            <Plus aria-hidden className="size-4" />
            Add code
          </Button>
          <ul
            aria-label="Discount codes"
            className="mt-5 divide-y divide-line rounded-xl border border-line bg-card"
          >
            {codes.data.map((code) => (
              <CodeItem key={code.id} code={code} products={products} onOpen={setPart} />
            ))}
          </ul>
        </>
      )}
      {part?.name === 'form' && (
        <DiscountForm code={part.code} products={products} onClose={close} />
      )}
      {part?.name === 'link' && <CodeLink code={part.code} products={products} onClose={close} />}
      {part?.name === 'delete' && <DeleteCode code={part.code} onClose={close} />}
    </Dialog>
  )
}

function NoCodes({ onAdd }: { onAdd: () => void }) {
  return (
    <div className="flex flex-col items-center py-8 text-center">
      <BadgePercent aria-hidden className="size-8 text-accent" strokeWidth={1.75} />
      <p className="mt-4 font-semibold tracking-tight">No discount codes yet</p>
      <p className="mt-1.5 max-w-sm text-sm/6 text-soft">
        A code takes a percentage or an amount off: for a newsletter, a friend or a season. It works
        by its link; buyers have nothing to type.
      </p>
      <Button look="primary" onClick={onAdd} className="mt-6">
        <Plus aria-hidden className="size-4" />
        Add code
      </Button>
    </div>
  )
}

type CodeItemProps = {
  code: DiscountCode
  products: Product[]
  onOpen: (part: OpenPart) => void
}

function CodeItem({ code, products, onOpen }: CodeItemProps) {
  const nameId = useId()
  const currency = useChargedCurrency(findProduct(products, code))

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium wrap-anywhere">
          <bdi id={nameId} className="font-mono">
            {code.code}
          </bdi>
          <span
            className={classNames(
              'ms-2 inline-block rounded-full px-2 py-0.5 text-xs font-medium',
              code.state === 'active' ? 'bg-well text-soft' : 'bg-pending-wash text-pending',
            )}
          >
            {stateLabels[code.state]}
          </span>
        </p>
        <p className="mt-1 wrap-anywhere">
          {describeDiscount(code, currency)}, <bdi>{nameOfProduct(products, code)}</bdi>
        </p>
        <p className="text-[0.8125rem]/5 text-soft">
          {describeUses(code)}
          {code.lastDay && ` · last day ${formatLastDay(code.lastDay)}`}
        </p>
      </div>
      <div className="-me-2 flex items-center">
        <IconButton
          icon={Link2}
          size="small"
          name="Link with this code"
          word="Link"
          aria-describedby={nameId}
          onClick={() => onOpen({ name: 'link', code })}
        />
        <IconButton
          icon={Pencil}
          size="smallIcon"
          name="Change limit and end"
          aria-describedby={nameId}
          onClick={() => onOpen({ name: 'form', code })}
        />
        <IconButton
          icon={Trash2}
          size="smallIcon"
          name="Delete code"
          aria-describedby={nameId}
          onClick={() => onOpen({ name: 'delete', code })}
          className="hover:bg-danger-wash hover:text-danger"
        />
      </div>
    </li>
  )
}

/** What buyers pay in; undefined where that depends on the product and the code is for all of them. */
function useChargedCurrency(product: Product | undefined): string | undefined {
  const { paymentCurrency, accountCurrency } = useCheckoutSettings()
  if (paymentCurrency !== 'product') return paymentCurrency
  return product?.currency ?? accountCurrency ?? undefined
}

function findProduct(products: Product[], { productId }: DiscountCode): Product | undefined {
  return products.find(({ id }) => id === productId)
}

function nameOfProduct(products: Product[], code: DiscountCode): string {
  if (code.productId === null) return 'all products'
  return findProduct(products, code)?.name ?? 'a deleted product'
}

type CodeLinkProps = { code: DiscountCode; products: Product[]; onClose: () => void }

function CodeLink({ code, products, onClose }: CodeLinkProps) {
  const { linkOf } = useCheckoutSettings()
  const offered = products.filter((one) => makesCheaper(code, one))
  const [chosenId, setChosenId] = useState(offered[0]?.id)
  const product = offered.find(({ id }) => id === chosenId)
  const link = product ? withCode(linkOf(product), code.code) : ''
  const { isCopied, copy } = useCopy(link)

  return (
    <Dialog
      title={`Link with ${code.code}`}
      description="Whoever opens it sees the lower price at once."
      onClose={onClose}
      className="max-w-md"
    >
      {product ? (
        <div className="flex flex-col gap-5">
          <SelectField
            label="Product"
            value={product.id}
            onChange={({ target }) => setChosenId(target.value)}
          >
            {offered.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <code className="rounded-lg border border-line bg-well p-3 font-mono text-xs/5 wrap-anywhere">
            {link}
          </code>
          <LoopbackNotice link={link} what="It works" />
          <Button look="primary" onClick={copy}>
            {isCopied ? 'Copied' : 'Copy link'}
          </Button>
        </div>
      ) : (
        <p className="text-sm/6 text-soft">
          There is no product on sale that this code makes cheaper.
        </p>
      )}
    </Dialog>
  )
}

function DeleteCode({ code, onClose }: { code: DiscountCode; onClose: () => void }) {
  const { mutate, isPending } = useDeleteCode(onClose)
  return (
    <ConfirmDialog
      title={`Delete ${code.code}?`}
      description="Its links show the full price from then on. Orders that used it keep what they paid. This cannot be undone."
      keepLabel="Keep code"
      loseLabel="Delete code"
      isPending={isPending}
      onKeep={onClose}
      onLose={() => mutate(code)}
    />
  )
}
