import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

import { Button } from './button.tsx'
import { Tooltip } from './tooltip.tsx'

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'children'> & {
  icon: LucideIcon
  /** Its name: read aloud, and shown to whoever points at it. */
  name: string
}

export function IconButton(props: IconButtonProps) {
  const { icon: Icon, name, look = 'bare', size = 'icon', ...button } = props

  return (
    <Tooltip content={name}>
      <Button {...button} look={look} size={size} aria-label={name}>
        {!button.isPending && <Icon aria-hidden className="size-4.5" />}
      </Button>
    </Tooltip>
  )
}
