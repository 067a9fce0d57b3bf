import {
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  useFormContext,
} from 'react-hook-form'

/**
 * A field of the surrounding form. It is validated on blur once changed, not while typing; while it has an error,
 * every keystroke validates it, so that the message disappears as soon as the value is right.
 */
export function useFormField<Values extends FieldValues>(
  name: FieldPath<Values>,
  options?: Pick<RegisterOptions<Values>, 'setValueAs'>,
) {
  const { register, trigger, getFieldState, formState } = useFormContext<Values>()
  const { isDirty, error } = getFieldState(name, formState)

  const registration = register(name, {
    ...options,
    onBlur: () => {
      if (isDirty) void trigger(name)
    },
    onChange: () => {
      if (error) void trigger(name)
    },
  })
  return { ...registration, error: error?.message }
}
