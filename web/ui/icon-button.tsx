import type { LucideIcon } from 'lucide-react'

import { Button, type ButtonProps } from './button.tsx'
import { Tooltip } from './tooltip.tsx'

/** In a list many buttons have the same name: `aria-describedby` says what each acts on. */
type IconButtonProps = Omit<ButtonProps, 'children'> & {
  icon: LucideIcon
  /** For screen readers, and shown as a tooltip. */
  name: string
  /** Shown beside the icon; a part of the name. */
  word?: string
}

export function IconButton(props: IconButtonProps) {
  const { icon: Icon, name, word, look = 'bare', size = 'icon', ...button } = props

  return (
    <Tooltip content={name}>
      <Button {...button} look={look} size={size} aria-label={name}>
        {!button.isPending && <Icon aria-hidden className="size-4.5 shrink-0" />}
        {word}
      </Button>
    </Tooltip>
  )
}
