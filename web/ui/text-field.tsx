import { type ComponentProps, type ReactNode, useId } from 'react'

import { classNames } from './class-names.ts'
import { boxLook, describeField, FieldFrame, type FieldWords } from './field-frame.tsx'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> &
  FieldWords & {
    /** A button inside the field's end, such as show-password. */
    inside?: ReactNode
  }

export function TextField(props: TextFieldProps) {
  const { label, mark, hint, error, inside, className, ...input } = props
  const id = useId()

  return (
    <FieldFrame {...{ id, label, mark, hint, error, className }}>
      <div className="relative">
        <input
          {...input}
          {...describeField(id, { hint, error })}
          className={classNames(boxLook(error), 'h-11', inside !== undefined && 'pe-12')}
        />
        {inside}
      </div>
    </FieldFrame>
  )
}
