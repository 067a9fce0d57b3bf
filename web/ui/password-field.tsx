import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'

import { TextField } from './text-field.tsx'

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'inside'>

export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye

  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="off"
      spellCheck={false}
      inside={
        <button
          type="button"
          onClick={() => setIsShown(!isShown)}
          className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-e-lg text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2"
        >
          <Icon aria-hidden className="size-4.5" />
          <span className="sr-only">{isShown ? 'Hide password' : 'Show password'}</span>
        </button>
      }
    />
  )
}
