import { ArrowDownUp, ListFilter, Rows3, Rows4, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'wouter'

import { isDay } from '#contract/days.ts'
import type { OrderSort } from '#contract/orders.ts'
import { formatDay, formatDays } from '#web/admin/analytics/format.ts'
import { useProducts } from '#web/admin/products/use-products.ts'
import { SearchBox } from '#web/admin/shell/search-box.tsx'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField, SelectField, TextField } from '#web/ui/fields.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ChoiceMenu } from '#web/ui/menu.tsx'
import { Popover } from '#web/ui/popover.tsx'

import { useCompactRows } from './compact-rows.ts'
import { useOpenNamed } from './open-named.ts'
import { hasFilters, noFilters, type OrderFilters, type OrderNavigation } from './order-url.ts'

const sortLabels: Record<OrderSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  highest: 'Amount, high to low',
  lowest: 'Amount, low to high',
}

/** What every list of orders is searched, filtered and sorted by; all of it is in the address. */
export function OrderFilterBar({ navigation }: { navigation: OrderNavigation }) {
  const { url, search, show } = navigation
  const named = useOpenNamed(navigation)
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <div className="min-w-60 flex-1 max-sm:basis-full">
          <SearchBox
            label="Search orders"
            placeholder="Search by order ID, customer email, or product..."
            q={url.q}
            onSearch={search}
            onEdit={named.cancel}
            onEnter={named.open}
          />
        </div>
        <FilterPopover navigation={navigation} />
        <SortMenu sort={url.sort} onSort={(sort) => show({ sort })} />
        <CompactToggle />
      </div>
      {hasFilters(url) && <ChosenFilters navigation={navigation} />}
    </>
  )
}

type SortMenuProps = { sort: OrderSort; onSort: (sort: OrderSort) => void }

/** Not a select: the only ones on the page are the statuses in the rows. */
function SortMenu({ sort, onSort }: SortMenuProps) {
  const trigger = (
    <Button
      size="large"
      aria-label={`Sort orders: ${sortLabels[sort]}`}
      className="px-3.5 max-sm:flex-1"
    >
      <ArrowDownUp aria-hidden className="size-4" />
      {sortLabels[sort]}
    </Button>
  )
  return <ChoiceMenu trigger={trigger} labels={sortLabels} chosen={sort} onChoose={onSort} />
}

function CompactToggle() {
  const { isCompact, toggle } = useCompactRows()
  return (
    <IconButton
      icon={isCompact ? Rows3 : Rows4}
      name="Compact rows"
      aria-pressed={isCompact}
      onClick={toggle}
      className="size-11 border border-line-strong/60 bg-card shadow-rest aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent-strong"
    />
  )
}

function FilterPopover({ navigation }: { navigation: OrderNavigation }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      title="Filter orders"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button size="large" className="px-3.5">
          <ListFilter aria-hidden className="size-4" />
          Filter
        </Button>
      }
    >
      <FilterForm
        filters={navigation.url}
        onChoose={(filters) => {
          setIsOpen(false)
          navigation.show(filters)
        }}
      />
    </Popover>
  )
}

type FilterFormProps = { filters: OrderFilters; onChoose: (filters: OrderFilters) => void }

function FilterForm({ filters, onChoose }: FilterFormProps) {
  const [chosen, setChosen] = useState(filters)
  const { productId, from, to, isWithdrawn } = chosen
  const [problem, setProblem] = useState<string>()
  const { data: products = [] } = useProducts()
  const isListed = products.some(({ id }) => id === productId)

  function submit(event: FormEvent) {
    event.preventDefault()
    const days = [from, to].filter((day) => day !== undefined)
    if (!days.every(isDay)) setProblem('This is not a day since 2000.')
    else if (from && to && from > to) setProblem('The first day comes after the last.')
    else onChoose({ productId, from, to, isWithdrawn })
  }

  const dayField = (name: 'from' | 'to') => ({
    type: 'date',
    value: (name === 'from' ? from : to) ?? '',
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setProblem(undefined)
      setChosen({ ...chosen, [name]: target.value || undefined })
    },
  })

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <SelectField
        label="Product"
        value={productId ?? ''}
        onChange={({ target }) => setChosen({ ...chosen, productId: target.value || undefined })}
      >
        <option value="">All products</option>
        {productId && !isListed && <option value={productId}>A deleted product</option>}
        {products
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </SelectField>
      <div className="grid grid-cols-2 gap-3">
        <TextField label="First day" error={problem} {...dayField('from')} />
        <TextField label="Last day" {...dayField('to')} />
      </div>
      <CheckboxField
        label="Withdrawals only"
        checked={isWithdrawn}
        onChange={({ target }) => setChosen({ ...chosen, isWithdrawn: target.checked })}
      />
      <div className="flex justify-end gap-2">
        <Button look="bare" onClick={() => onChoose(noFilters)}>
          Clear
        </Button>
        <Button look="primary" type="submit">
          Show orders
        </Button>
      </div>
    </form>
  )
}

/** Each filter is a link to the list without it. */
function ChosenFilters({ navigation: { url, hrefOf } }: { navigation: OrderNavigation }) {
  const { productId, from, to, isWithdrawn } = url
  return (
    <ul aria-label="Chosen filters" className="flex flex-wrap gap-2">
      {productId && (
        <Chip href={hrefOf({ productId: undefined })}>
          <ProductName id={productId} />
        </Chip>
      )}
      {(from ?? to) && (
        <Chip href={hrefOf({ from: undefined, to: undefined })}>{describeDays(url)}</Chip>
      )}
      {isWithdrawn && <Chip href={hrefOf({ isWithdrawn: false })}>Withdrawals</Chip>}
    </ul>
  )
}

function Chip({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li className="flex h-9 max-w-full items-center rounded-full bg-accent-wash ps-3.5 text-sm text-accent-strong pointer-coarse:h-11">
      <bdi className="truncate">{children}</bdi>
      <Link
        href={href}
        className="grid size-9 shrink-0 place-items-center rounded-full hover:bg-ink/6 pointer-coarse:size-11"
      >
        <X aria-hidden className="size-4" />
        <span className="sr-only">Remove this filter</span>
      </Link>
    </li>
  )
}

function ProductName({ id }: { id: string }) {
  const { data, isPending } = useProducts()
  if (isPending) return '…'
  return data?.find((product) => product.id === id)?.name ?? 'A deleted product'
}

export function describeDays({ from, to }: Pick<OrderFilters, 'from' | 'to'>): string {
  if (from && to) return formatDays({ from, to })
  return from ? `Since ${formatDay(from)}` : `Until ${formatDay(to ?? '')}`
}
