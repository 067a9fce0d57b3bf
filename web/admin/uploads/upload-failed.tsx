import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

import type { UploadState } from './picture-upload.ts'

type UploadFailedProps = {
  state: Extract<UploadState, { phase: 'failed' }>
  onRetry: () => void
}

export function UploadFailed({ state, onRetry }: UploadFailedProps) {
  const { sentence, detail, canRetry } = state

  return (
    <Notice look="danger" className="relative z-10">
      <p>
        {sentence}
        {detail && <span className="text-muted"> ({detail})</span>}
      </p>
      {canRetry && (
        <Button onClick={onRetry} className="mt-2">
          Retry upload
        </Button>
      )}
    </Notice>
  )
}
