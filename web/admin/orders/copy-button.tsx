import { Check, Copy } from 'lucide-react'

import { IconButton } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

type CopyButtonProps = { text: string; name: string; className?: string }

/** Stands beside a text that is shown shortened, or is long to mark by hand. */
export function CopyButton({ text, name, className = '' }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(text)
  return (
    <IconButton
      size="smallIcon"
      icon={isCopied ? Check : Copy}
      name={name}
      onClick={copy}
      className={`text-muted [&>svg]:size-3.5 ${className}`}
    />
  )
}
