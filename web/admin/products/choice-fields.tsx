import { ImagePlus, Plus, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useController, useFieldArray, useFormContext } from 'react-hook-form'

import { maxValues, type Product, type ProductInput } from '#contract/products.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'
import { PictureField } from '#web/admin/uploads/picture-field.tsx'
import { usePictureUpload } from '#web/admin/uploads/picture-upload.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField, TextField } from '#web/ui/fields.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Notice } from '#web/ui/notice.tsx'

import { describeStock, hasStock, newValue, parsePieces } from './product-form.ts'

const useProductField = useFormField<ProductInput>

type ChoiceFieldsProps = {
  /** As it is saved; undefined for a new one. */
  product: Product | undefined
  onUpload: (more: 1 | -1) => void
  onRemove: () => void
}

/** What buyers choose one of, such as a size or colour, all at the same price. */
export function ChoiceFields({ product, onUpload, onRemove }: ChoiceFieldsProps) {
  const { control, watch, formState } = useFormContext<ProductInput>()
  const { fields, append, remove } = useFieldArray({
    control,
    name: 'choice.values',
    // Values have an id of their own.
    keyName: 'key',
  })
  const { values: errors } = formState.errors.choice ?? {}
  const problem = errors?.root?.message ?? errors?.message

  return (
    <>
      <TextField
        label="What buyers choose"
        mark="*"
        required
        hint="Such as a size or colour, all at the same price. Buyers choose one before they pay."
        placeholder="Size"
        autoComplete="off"
        {...useProductField('choice.name')}
      />
      <ul aria-label="Values" className="flex flex-col gap-4">
        {fields.map(({ key, id }, index) => (
          <ValueFields
            key={key}
            index={index}
            saved={product?.choice?.values.find((value) => value.id === id)}
            canRemove={fields.length > 1}
            onRemove={() => remove(index)}
            onUpload={onUpload}
          />
        ))}
      </ul>
      <div aria-live="polite" className="empty:hidden">
        {problem && <Notice look="danger">{problem}</Notice>}
      </div>
      <div className="flex flex-wrap gap-3">
        {fields.length >= maxValues ? (
          <p className="text-sm text-muted">There can be at most {maxValues} values.</p>
        ) : (
          <Button onClick={() => append(newValue)}>
            <Plus aria-hidden className="size-4" />
            Add Value
          </Button>
        )}
        <Button look="bare" onClick={onRemove}>
          Remove the choice
        </Button>
      </div>
      {watch('choice')?.values.some(hasStock) && <ShowsLeftField />}
    </>
  )
}

/** Where pieces are counted, of the product or of its values. */
export function ShowsLeftField() {
  const { register } = useFormContext<ProductInput>()
  return (
    <CheckboxField
      label="Show how few are left"
      hint="The checkout says “Only 3 left” when there are 5 or fewer."
      {...register('showsLeft')}
    />
  )
}

type ValueFieldsProps = {
  index: number
  saved: NonNullable<Product['choice']>['values'][number] | undefined
  canRemove: boolean
  onRemove: () => void
  onUpload: ChoiceFieldsProps['onUpload']
}

function ValueFields({ index, saved, canRemove, onRemove, onUpload }: ValueFieldsProps) {
  const number = index + 1
  const [isPictureAsked, setIsPictureAsked] = useState(false)
  const { watch } = useFormContext<ProductInput>()
  const picture = watch(`choice.values.${index}.imageUrl`)
  const hasPicture = isPictureAsked || Boolean(picture)

  return (
    <li className="flex flex-col gap-3 rounded-xl border border-line p-3.5">
      <div className="flex items-start gap-3">
        <TextField
          label={`Value ${number}`}
          autoComplete="off"
          className="min-w-0 flex-1"
          {...useProductField(`choice.values.${index}.name`)}
        />
        <TextField
          label="In stock"
          mark="(optional)"
          inputMode="numeric"
          autoComplete="off"
          className="min-w-0 flex-1"
          hint={saved?.stock === undefined ? undefined : describeStock(saved)}
          {...useProductField(`choice.values.${index}.stock`, { setValueAs: parsePieces })}
        />
        {canRemove && (
          <IconButton
            icon={Trash2}
            name={`Remove value ${number}`}
            onClick={onRemove}
            className="mt-7.5 shrink-0 pointer-coarse:mt-6.5"
          />
        )}
      </div>
      {hasPicture ? (
        <ValuePicture index={index} onUpload={onUpload} />
      ) : (
        <Button
          look="bare"
          size="small"
          aria-label={`Add a picture of value ${number}`}
          onClick={() => setIsPictureAsked(true)}
          className="self-start"
        >
          <ImagePlus aria-hidden className="size-4" />
          Add a picture
        </Button>
      )}
    </li>
  )
}

function ValuePicture({ index, onUpload }: Pick<ValueFieldsProps, 'index' | 'onUpload'>) {
  const name = `choice.values.${index}.imageUrl` as const
  const { field, fieldState } = useController<ProductInput, typeof name>({ name })
  const { ref, onChange, value } = field
  const upload = usePictureUpload('image', onChange)
  const { isRunning } = upload
  useEffect(() => {
    if (!isRunning) return undefined
    onUpload(1)
    return () => onUpload(-1)
  }, [isRunning, onUpload])

  return (
    <PictureField
      label={`Picture of value ${index + 1}`}
      mark="(optional)"
      value={value ?? ''}
      upload={upload}
      error={fieldState.error?.message}
      onRemove={() => onChange('')}
      ref={ref}
    />
  )
}
