import { type ComponentProps, useId } from 'react'

import { classNames } from './class-names.ts'
import { boxLook, describeField, FieldFrame, type FieldWords } from './field-frame.tsx'

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'id'> & FieldWords

/** Grows with what is written, up to a third of the screen. */
export function TextAreaField(props: TextAreaFieldProps) {
  const { label, mark, hint, error, className, ...area } = props
  const id = useId()

  return (
    <FieldFrame {...{ id, label, mark, hint, error, className }}>
      <textarea
        rows={3}
        {...area}
        {...describeField(id, { hint, error })}
        className={classNames(boxLook(error), 'field-sizing-content max-h-[33dvh] min-h-22 py-2.5')}
      />
    </FieldFrame>
  )
}
