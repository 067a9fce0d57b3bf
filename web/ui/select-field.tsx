import { ChevronsUpDown } from 'lucide-react'
import { type ComponentProps, useId } from 'react'

import { classNames } from './class-names.ts'
import { boxLook, describeField, FieldFrame, type FieldWords } from './field-frame.tsx'

type SelectFieldProps = Omit<ComponentProps<'select'>, 'id'> & FieldWords

/** The browser's own list: typing finds an entry, and a phone shows it the way its owner knows. */
export function SelectField(props: SelectFieldProps) {
  const { label, mark, hint, error, className, children, ...select } = props
  const id = useId()

  return (
    <FieldFrame {...{ id, label, mark, hint, error, className }}>
      <div className="relative">
        <select
          {...select}
          {...describeField(id, { hint, error })}
          className={classNames(boxLook(error), 'h-11 appearance-none pe-9')}
        >
          {children}
        </select>
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute end-3 top-3.5 size-4 text-muted"
        />
      </div>
    </FieldFrame>
  )
}
