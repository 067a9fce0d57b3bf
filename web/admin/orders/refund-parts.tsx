import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/fields.tsx'

/** What the dialogs about refunds share. */

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

type RefundMessageProps = { title: string; text: string; onClose: () => void; className: string }

/** In place of a refund that cannot be made, or not yet. */
export function RefundMessage({ title, text, onClose, className }: RefundMessageProps) {
  return (
    <Dialog
      title={title}
      description={text}
      onClose={onClose}
      className={className}
      footer={
        <div className="flex justify-end max-sm:*:flex-1">
          <Button onClick={onClose}>Close</Button>
        </div>
      }
    >
      {null}
    </Dialog>
  )
}
