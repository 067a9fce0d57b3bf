import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'

import type { Product, ProductInput } from '#contract/products.ts'
import { withdrawalExemptions, type WithdrawalExemption } from '#contract/withdrawals.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField, SelectField, TextField } from '#web/ui/fields.tsx'

import { ChoiceFields, ShowsLeftField } from './choice-fields.tsx'
import { Section } from './product-fields.tsx'
import { describeStock, hasStock, newChoice, parseExemption, parsePieces } from './product-form.ts'

const useProductField = useFormField<ProductInput>

/** What few products have, in the order in which it is shown. */
const groups = ['choice', 'stock', 'note', 'withdrawal'] as const
type Group = (typeof groups)[number]

const titles: Record<Group, string> = {
  choice: 'Choice',
  stock: 'Stock',
  note: 'Buyer’s text',
  withdrawal: 'Right of withdrawal',
}

type MoreFieldsProps = {
  /** As it is saved; undefined for a new one. */
  product: Product | undefined
  /** How many more pictures of values are on their way than before. */
  onValueUpload: (more: 1 | -1) => void
}

/** The groups that the product uses are open. A line names the others: each opens in its place, with the focus in it. */
export function MoreFields({ product, onValueUpload }: MoreFieldsProps) {
  const { setValue } = useFormContext<ProductInput>()
  const { isOpen, open } = useOpenGroups()
  const [asked, setAsked] = useState<Group>()
  const [isChoiceRemoved, setIsChoiceRemoved] = useState(false)
  const fields: Record<Group, ReactNode> = {
    choice: (
      <ChoiceFields
        product={product}
        onUpload={onValueUpload}
        onRemove={() => {
          setValue('choice', null, { shouldDirty: true })
          setIsChoiceRemoved(true)
        }}
      />
    ),
    stock: <StockFields product={product} />,
    note: <NoteFields />,
    withdrawal: <WithdrawalField />,
  }

  function add(group: Group) {
    if (group === 'choice') setValue('choice', newChoice, { shouldDirty: true })
    setAsked(group)
    open(group)
  }

  // Pieces of a product with a choice are counted by value.
  const offered = groups.filter(
    (group) => !isOpen(group) && !(group === 'stock' && isOpen('choice')),
  )
  return (
    <>
      {groups.filter(isOpen).map((group) => (
        <Section key={group} title={titles[group]}>
          <Focused isAsked={group === asked}>{fields[group]}</Focused>
        </Section>
      ))}
      {offered.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-0.5 gap-y-1 pt-5 text-sm text-soft">
          <span>Add:</span>
          {offered.map((group, index) => (
            <Fragment key={group}>
              {index > 0 && (
                // On a phone the line wraps, and one of them would end it.
                <span aria-hidden className="max-sm:hidden">
                  ·
                </span>
              )}
              <Button
                look="bare"
                size="small"
                // The pressed button to remove it is gone.
                // oxlint-disable-next-line jsx-a11y/no-autofocus
                autoFocus={group === 'choice' && isChoiceRemoved}
                onClick={() => add(group)}
              >
                {titles[group]}
              </Button>
            </Fragment>
          ))}
        </div>
      )}
    </>
  )
}

/** A group that was open stays open when its field is emptied; a choice is removed as a whole. */
function useOpenGroups() {
  const { watch } = useFormContext<ProductInput>()
  const [choice, stock, noteLabel, exemption] = watch([
    'choice',
    'stock',
    'noteLabel',
    'withdrawalExemption',
  ])
  const isUsed: Record<Group, boolean> = {
    choice: Boolean(choice),
    stock: hasStock({ stock }),
    note: Boolean(noteLabel),
    withdrawal: Boolean(exemption),
  }
  const [opened, setOpened] = useState<Group[]>([])
  const open = (...more: Group[]) => setOpened([...opened, ...more])
  const newlyUsed = groups.filter((group) => isUsed[group] && !opened.includes(group))
  if (newlyUsed.length > 0) open(...newlyUsed)

  function isOpen(group: Group): boolean {
    if (group === 'choice') return isUsed.choice
    if (group === 'stock' && isUsed.choice) return false
    return isUsed[group] || opened.includes(group)
  }
  return { isOpen, open }
}

/** Focuses its first field if the owner has asked for it. */
function Focused({ isAsked, children }: { isAsked: boolean; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAsked) frame.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [isAsked])
  return (
    <div ref={frame} className="flex flex-col gap-5">
      {children}
    </div>
  )
}

function StockFields({ product }: Pick<MoreFieldsProps, 'product'>) {
  const { watch } = useFormContext<ProductInput>()
  return (
    <>
      <TextField
        label="Pieces in stock"
        mark="(optional)"
        inputMode="numeric"
        autoComplete="off"
        hint={
          product?.stock === undefined
            ? 'Leave it empty to sell without counting.'
            : describeStock(product)
        }
        {...useProductField('stock', { setValueAs: parsePieces })}
      />
      {hasStock({ stock: watch('stock') }) && <ShowsLeftField />}
    </>
  )
}

function NoteFields() {
  const { register, watch, setValue } = useFormContext<ProductInput>()
  const isAsked = Boolean(watch('noteLabel')?.trim())

  return (
    <>
      <TextField
        label="Ask buyers for a text"
        mark="(optional)"
        placeholder="Engraving"
        hint="The name of a field at the checkout, such as Engraving or Gift text. Leave it empty to ask for nothing."
        {...useProductField('noteLabel')}
      />
      {isAsked && (
        <>
          <CheckboxField
            label="Required"
            hint="Nobody can pay without filling it in."
            {...register('isNoteRequired')}
          />
          <CheckboxField
            label="Made for the buyer, without a right of withdrawal"
            hint="Goods that are personalised have none by EU law. Whether yours are is your decision; buyers are told of no right then."
            checked={watch('withdrawalExemption') === 'personalised'}
            onChange={({ target }) =>
              setValue('withdrawalExemption', target.checked ? 'personalised' : null, {
                shouldDirty: true,
              })
            }
          />
        </>
      )}
    </>
  )
}

function WithdrawalField() {
  return (
    <SelectField
      label="Right of withdrawal"
      hint="Where there is none, buyers are told of none, and their order’s page offers none."
      {...useProductField('withdrawalExemption', { setValueAs: parseExemption })}
    >
      <option value="">14 days, where the law gives it</option>
      {withdrawalExemptions.map((reason) => (
        <option key={reason} value={reason}>
          {exemptionLabels[reason]}
        </option>
      ))}
    </SelectField>
  )
}

const exemptionLabels: Record<WithdrawalExemption, string> = {
  personalised: 'None: made to order or personalised',
  perishable: 'None: spoils or expires quickly',
}
