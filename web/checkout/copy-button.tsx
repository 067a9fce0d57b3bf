import { useCopy } from '#web/ui/use-copy.ts'

import { Icon } from './icon.tsx'

type CopyButtonProps = { text: string; label: string }

export function CopyButton({ text, label }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(text)

  return (
    <button
      type="button"
      onClick={copy}
      className="-my-1 grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink pointer-coarse:-my-2.5 pointer-coarse:size-11 print:hidden"
    >
      <Icon name={isCopied ? 'tick' : 'copy'} className="size-4" />
      <span className="sr-only">{label}</span>
    </button>
  )
}
