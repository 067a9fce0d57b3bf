import { Plus, Trash2 } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useController, useFieldArray, useFormContext } from 'react-hook-form'

import { findCurrencyProblem } from '#contract/charges.ts'
import { currencies, defaultCurrency } from '#contract/currencies.ts'
import { maxTiers, type ProductInput } from '#contract/products.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'
import { PictureField } from '#web/admin/uploads/picture-field.tsx'
import type { PictureUpload } from '#web/admin/uploads/picture-upload.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField, SelectField, TextAreaField, TextField } from '#web/ui/fields.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Notice } from '#web/ui/notice.tsx'

import { findTierWarning, missingLogo, newTier, parsePrice, parseQuantity } from './product-form.ts'
import { useCheckoutSettings } from './use-products.ts'

const useProductField = useFormField<ProductInput>

type ProductFieldsProps = { uploads: { image: PictureUpload; logo: PictureUpload } }

/** The groups that every product has. */
export function ProductFields({ uploads }: ProductFieldsProps) {
  const { register, watch } = useFormContext<ProductInput>()

  return (
    <>
      <Section title="Basic Information">
        <TextField label="Product Name" mark="*" required {...useProductField('name')} />
        <div className="grid gap-5 sm:grid-cols-2">
          <PriceField name="price" mark="*" required placeholder="49.00" />
          <SelectField label="Currency" mark="*" required {...useProductField('currency')}>
            {currencies.map(({ code, symbol, name }) => (
              <option key={code} value={code}>
                {code} {symbol} – {name}
              </option>
            ))}
          </SelectField>
        </div>
        <ChargeNote />
        <TextAreaField
          label="Description"
          mark="(optional)"
          hint="Shown beside the product at checkout."
          {...useProductField('description')}
        />
      </Section>
      <Section title="Product Images">
        {watch('headerLogoUrl') === '' && <MissingLogoNotice />}
        <Picture name="imageUrl" label="Product Image" mark="(optional)" upload={uploads.image} />
        <Picture
          name="headerLogoUrl"
          label="Checkout Page Header Logo"
          mark="*"
          upload={uploads.logo}
        />
      </Section>
      <Section title="Checkout Page Settings">
        <TextField
          label="Checkout Page Header Name"
          mark="(optional)"
          hint="Shown if the logo cannot be shown, and read by screen readers."
          {...useProductField('headerName')}
        />
      </Section>
      <Section title="Advanced Pricing">
        <CheckboxField
          label="Enable quantity-based pricing"
          hint="Tiers are saved with the product. The checkout always sells one, at the price above."
          {...register('quantityPricingEnabled')}
        />
        {watch('quantityPricingEnabled') && <Tiers />}
      </Section>
    </>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0 py-7 first:pt-0 last:pb-0">
      {/* Floating moves the legend from the border into the padding. */}
      <legend className="float-start w-full font-semibold tracking-tight">{title}</legend>
      <div className="clear-both flex flex-col gap-5 pt-4">{children}</div>
    </fieldset>
  )
}

type PriceFieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'name'> & {
  name: 'price' | `quantityTiers.${number}.price`
}

function PriceField({ name, ...props }: PriceFieldProps) {
  const { getValues, setValue } = useFormContext<ProductInput>()
  const field = useProductField(name, { setValueAs: parsePrice })

  return (
    <TextField
      label="Price"
      inputMode="decimal"
      autoComplete="off"
      {...props}
      {...field}
      onBlur={(event) => {
        // Shows the price as it will be saved.
        setValue(name, getValues(name))
        void field.onBlur(event)
      }}
    />
  )
}

function ChargeNote() {
  const settings = useCheckoutSettings()
  const { watch } = useFormContext<ProductInput>()
  const [price, currency = defaultCurrency] = watch(['price', 'currency'])
  const problem = findCurrencyProblem({ price: price.trim(), currency }, settings)

  // The live region must exist before its text, or screen readers do not announce it.
  return (
    <div aria-live="polite" className="empty:hidden">
      {problem && (
        <Notice look="danger">
          {problem.found} {problem.todo}
        </Notice>
      )}
    </div>
  )
}

function MissingLogoNotice() {
  const { setFocus } = useFormContext<ProductInput>()
  return (
    <Notice look="warning">
      The checkout page needs a header logo before this product can be saved.{' '}
      <button
        type="button"
        onClick={() => setFocus('headerLogoUrl')}
        className="font-medium underline underline-offset-4"
      >
        Go to the logo
      </button>
    </Notice>
  )
}

type PictureProps = {
  name: 'imageUrl' | 'headerLogoUrl'
  label: string
  mark: '*' | '(optional)'
  upload: PictureUpload
}

function Picture({ name, label, mark, upload }: PictureProps) {
  const { field, fieldState } = useController<ProductInput, typeof name>({ name })
  const { ref, onChange, value: url } = field
  const value = url ?? ''
  const isLogoMissing = name === 'headerLogoUrl' && value === ''

  return (
    <PictureField
      label={label}
      mark={mark}
      value={value}
      upload={upload}
      error={fieldState.error && isLogoMissing ? missingLogo : fieldState.error?.message}
      onRemove={() => onChange('')}
      ref={ref}
    />
  )
}

function Tiers() {
  const { control, watch } = useFormContext<ProductInput>()
  const { fields, append, remove } = useFieldArray({ control, name: 'quantityTiers' })
  const warning = findTierWarning(watch('quantityTiers') ?? [])

  return (
    <div className="flex flex-col gap-3">
      {fields.length > 0 && (
        <ul aria-label="Quantity tiers" className="flex flex-col gap-3">
          {fields.map(({ id }, index) => (
            <Tier key={id} index={index} onRemove={() => remove(index)} />
          ))}
        </ul>
      )}
      <div aria-live="polite" className="empty:hidden">
        {warning && <Notice look="warning">{warning}</Notice>}
      </div>
      {fields.length >= maxTiers ? (
        <p className="text-sm text-muted">There can be at most {maxTiers} tiers.</p>
      ) : (
        <Button onClick={() => append({ ...newTier })} className="self-start">
          <Plus aria-hidden className="size-4" />
          Add Tier
        </Button>
      )}
    </div>
  )
}

function Tier({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { getValues, setValue } = useFormContext<ProductInput>()
  const quantityName = `quantityTiers.${index}.quantity` as const
  const quantity = useProductField(quantityName, { setValueAs: parseQuantity })

  return (
    <li className="flex items-start gap-3">
      <TextField
        label="Quantity"
        inputMode="numeric"
        autoComplete="off"
        className="min-w-0 flex-1"
        {...quantity}
        onBlur={(event) => {
          // Shows the parsed number instead of the typed text.
          setValue(quantityName, getValues(quantityName))
          void quantity.onBlur(event)
        }}
      />
      <PriceField
        name={`quantityTiers.${index}.price`}
        placeholder="45.00"
        className="min-w-0 flex-1"
      />
      <IconButton
        icon={Trash2}
        name={`Remove tier ${index + 1}`}
        onClick={onRemove}
        className="mt-7.5 shrink-0 pointer-coarse:mt-6.5"
      />
    </li>
  )
}
