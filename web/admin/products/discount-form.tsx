import '#web/admin/zod-config.ts'

import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useState } from 'react'
import { FormProvider, useForm, useFormContext } from 'react-hook-form'
import type { z } from 'zod'

import { type DiscountCode, type NewDiscount, newDiscountSchema } from '#contract/discounts.ts'
import type { Product } from '#contract/products.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'
import { isUnauthorized, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SelectField, TextField } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'

import { useSaveCode } from './discount-codes.ts'
import { parsePieces, parsePrice } from './product-form.ts'
import { useCheckoutSettings } from './use-products.ts'

type DiscountInput = z.input<typeof newDiscountSchema>

const useDiscountField = useFormField<DiscountInput>
const resolver = zodResolver(newDiscountSchema)

type DiscountFormProps = {
  /** The code to change; undefined for a new one. */
  code: DiscountCode | undefined
  products: Product[]
  onClose: () => void
}

export function DiscountForm({ code, products, onClose }: DiscountFormProps) {
  const formId = useId()
  const form = useForm<DiscountInput, unknown, NewDiscount>({
    defaultValues: initialValues(code),
    resolver,
  })
  const save = useSaveCode(code, onClose)
  const refusal = save.error && !isUnauthorized(save.error) && refusalText(save.error)

  return (
    <Dialog
      title={code ? `Change ${code.code}` : 'Add a discount code'}
      description={
        code
          ? 'What it takes off is what its links promise: for that, delete it and add another one.'
          : 'It is taken off the product, not off the delivery, and never makes anything free.'
      }
      onClose={onClose}
      className="max-w-lg"
      footer={
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:flex-1">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} look="primary" isPending={save.isPending}>
            {code ? 'Save' : 'Add code'}
          </Button>
        </div>
      }
    >
      <FormProvider {...form}>
        <form
          id={formId}
          noValidate
          onSubmit={(event) =>
            void form.handleSubmit((content) => {
              if (!save.isPending) save.mutate(content)
            })(event)
          }
          className="flex flex-col gap-5"
        >
          {!code && <NewCodeFields products={products} />}
          <LimitFields />
          <GuessWarning />
        </form>
      </FormProvider>
      {refusal && (
        <Notice look="danger" role="alert" className="mt-5">
          {refusal}
        </Notice>
      )}
    </Dialog>
  )
}

function NewCodeFields({ products }: { products: Product[] }) {
  const { setValue, watch, clearErrors } = useFormContext<DiscountInput>()
  const [isAmount, setIsAmount] = useState(false)
  const { paymentCurrency, accountCurrency } = useCheckoutSettings()
  const product = products.find(({ id }) => id === watch('productId'))
  const currency =
    paymentCurrency === 'product' ? (product?.currency ?? accountCurrency) : paymentCurrency
  // The first field that is wrong takes the focus, in this order.
  const code = useDiscountField('code')
  const percent = useDiscountField('percent', { setValueAs: parsePieces })
  const amount = useDiscountField('amount', { setValueAs: parsePrice })

  return (
    <>
      <TextField
        label="Code"
        mark="*"
        required
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        placeholder="SPRING10"
        hint="Letters, digits, - and _. Small letters count as capitals."
        {...code}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          label="Kind"
          value={isAmount ? 'amount' : 'percent'}
          onChange={({ target }) => {
            const isNext = target.value === 'amount'
            setIsAmount(isNext)
            // Only the shown one counts.
            setValue('percent', null)
            setValue('amount', isNext ? '' : null)
            clearErrors(['percent', 'amount'])
          }}
        >
          <option value="percent">Percentage</option>
          <option value="amount">Amount</option>
        </SelectField>
        {isAmount ? (
          <TextField
            key="amount"
            label={currency ? `Amount off (${currency})` : 'Amount off'}
            mark="*"
            required
            inputMode="decimal"
            autoComplete="off"
            placeholder="5.00"
            {...(!currency && { hint: 'In the currency of each product.' })}
            {...amount}
          />
        ) : (
          <TextField
            key="percent"
            label="Percent off"
            mark="*"
            required
            inputMode="numeric"
            autoComplete="off"
            placeholder="10"
            {...percent}
          />
        )}
      </div>
      <SelectField
        label="Product"
        {...useDiscountField('productId', { setValueAs: (id: string) => id || null })}
      >
        <option value="">All products</option>
        {products.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  )
}

function LimitFields() {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        label="Limit"
        mark="(optional)"
        inputMode="numeric"
        autoComplete="off"
        hint="How many orders may use it."
        {...useDiscountField('maxUses', { setValueAs: parsePieces })}
      />
      <TextField
        label="Last day"
        mark="(optional)"
        type="date"
        hint="In the time zone of the shop, to its end."
        {...useDiscountField('lastDay', { setValueAs: (day: string | null) => day || null })}
      />
    </div>
  )
}

/** Without a limit it pays to try all short codes. */
function GuessWarning() {
  const { watch } = useFormContext<DiscountInput>()
  const [code, maxUses] = watch(['code', 'maxUses'])
  const isShort = code.trim() !== '' && code.trim().length < minUnguessableLength
  if (!isShort || maxUses) return null
  return (
    <Notice look="warning">
      Strangers can guess a code this short. Use at least {minUnguessableLength} characters, or set
      a limit.
    </Notice>
  )
}

const minUnguessableLength = 6

function initialValues(code: DiscountCode | undefined): DiscountInput {
  return {
    code: code?.code ?? '',
    percent: code?.percent ?? null,
    amount: code?.amount ?? null,
    productId: code?.productId ?? null,
    maxUses: code?.maxUses ?? null,
    lastDay: code?.lastDay ?? null,
  }
}
