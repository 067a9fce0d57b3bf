import { useQueryClient } from '@tanstack/react-query'
import { Archive, Download, RefreshCw } from 'lucide-react'

import { apiRoutes } from '#contract/paths.ts'
import { handleUnauthorized } from '#web/admin/unauthorized.ts'
import { callServer } from '#web/api.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { readAllAgain } from './order-cache.ts'

type HeadActionsProps = {
  /** The part of a call that says which orders are meant. */
  search: string
  isRefreshing: boolean
  onOpenArchive: () => void
}

export function HeadActions({ search, isRefreshing, onOpenArchive }: HeadActionsProps) {
  const queryClient = useQueryClient()
  const href = `${apiRoutes.orderExport}${search}`
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:flex-row-reverse max-sm:justify-end">
      <IconButton
        icon={RefreshCw}
        name="Look for new orders"
        isPending={isRefreshing}
        onClick={() => void orSay('The orders could not be loaded', readAllAgain(queryClient))}
      />
      <Button onClick={onOpenArchive}>
        <Archive aria-hidden className="size-4" />
        Payment archive
      </Button>
      <a
        href={href}
        download
        onClick={(event) => {
          event.preventDefault()
          void orSay('The export could not be started', download(href))
        }}
        className="inline-flex h-9 items-center gap-2 rounded-lg border border-line-strong/60 bg-card px-4 text-sm font-medium shadow-rest transition-colors select-none hover:border-line-strong hover:bg-well pointer-coarse:h-11"
      >
        <Download aria-hidden className="size-4" />
        Export
      </a>
    </div>
  )
}

/** Browsers keep to themselves why a download failed: whether it can begin is asked before. */
async function download(href: string): Promise<void> {
  await callServer('GET', apiRoutes.adminUser)
  Object.assign(document.createElement('a'), { href, download: '' }).click()
}

async function orSay(title: string, trying: Promise<void>): Promise<void> {
  try {
    await trying
  } catch (error) {
    if (error instanceof Error && handleUnauthorized(error)) return
    toast({ title, description: 'Please try again in a moment.', variant: 'destructive' })
  }
}
