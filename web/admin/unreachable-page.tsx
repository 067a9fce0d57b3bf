import { Button } from '#web/ui/button.tsx'

import { NoticePage } from './notice-page.tsx'

type UnreachablePageProps = { isAsking: boolean; onRetry: () => void }

/** Not signed out, only out of reach: nobody is sent away for a server that is starting again. */
export function UnreachablePage({ isAsking, onRetry }: UnreachablePageProps) {
  return (
    <NoticePage
      title="Your shop is not answering"
      description="The server may be starting, or your connection may be down. Nothing is lost: try again in a moment."
    >
      <Button look="primary" isPending={isAsking} onClick={onRetry}>
        {isAsking ? 'Trying...' : 'Try again'}
      </Button>
    </NoticePage>
  )
}
