import { Icon } from './icon.tsx'

type CopyButtonProps = { text: string; label: string }

/** Works by shell.ts, so that the page around it may be plain HTML. */
export function CopyButton({ text, label }: CopyButtonProps) {
  return (
    <button
      type="button"
      data-copies={text}
      className="group -my-1 grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink pointer-coarse:-my-2.5 pointer-coarse:size-11 print:hidden"
    >
      <Icon name="copy" className="size-4 group-data-copied:hidden" />
      <Icon name="tick" className="hidden size-4 group-data-copied:block" />
      <span className="sr-only">{label}</span>
    </button>
  )
}
