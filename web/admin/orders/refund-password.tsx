import { PasswordField } from '#web/ui/fields.tsx'

type RefundPasswordProps = { value: string; onChange: (password: string) => void }

/** Above an amount in an hour a refund needs the admin's password. */
export function RefundPassword({ value, onChange }: RefundPasswordProps) {
  return (
    <PasswordField
      label="Your password"
      autoComplete="current-password"
      required
      hint="Refunds of this amount need it."
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
