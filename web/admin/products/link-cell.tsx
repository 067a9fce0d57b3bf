import { Check, Copy, ExternalLink } from 'lucide-react'

import { IconButton } from '#web/ui/button.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

import { shortenLink } from './checkout-link.ts'

export function LinkCell({ link }: { link: string }) {
  const { isCopied, copy } = useCopy(link)

  return (
    <div className="flex items-center @max-[27rem]:-me-2">
      <bdi title={link} className="me-1 min-w-0 truncate text-xs text-soft @max-[27rem]:flex-1">
        {shortenLink(link)}
      </bdi>
      <IconButton size="smallIcon" icon={isCopied ? Check : Copy} name="Copy link" onClick={copy} />
      <Tooltip content="Open in new tab">
        <a
          href={link}
          target="_blank"
          rel="noopener"
          aria-label="Open in new tab"
          className="grid size-8 shrink-0 place-items-center rounded-lg text-soft transition-colors hover:bg-ink/6 hover:text-ink pointer-coarse:size-11"
        >
          <ExternalLink aria-hidden className="size-4.5" />
        </a>
      </Tooltip>
    </div>
  )
}
