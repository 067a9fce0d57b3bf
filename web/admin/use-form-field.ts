import {
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  useFormContext,
} from 'react-hook-form'

/**
 * A field of the form around it. It is checked when one leaves it changed, never while one still
 * types; once it is wrong, each key is checked, so that the message goes at the first good value.
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
