import { ServerCrash } from 'lucide-react'

import { Button } from '#web/ui/button.tsx'

import { EmptyState } from './empty-state.tsx'

type NotLoadedProps = {
  /** In the owner's words: 'orders'. */
  what: string
  isAsking: boolean
  onRetry: () => void
}

/** In place of what could not be read. */
export function NotLoaded({ what, isAsking, onRetry }: NotLoadedProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={ServerCrash}
        title={`Your ${what} could not be loaded`}
        description="The server may be starting, or your connection may be down. Nothing is lost."
      >
        <Button isPending={isAsking} onClick={onRetry} className="mt-6">
          {isAsking ? 'Trying...' : 'Try again'}
        </Button>
      </EmptyState>
    </div>
  )
}
