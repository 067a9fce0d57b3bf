import type { PictureKind } from '#contract/pictures.ts'
import { Button } from '#web/ui/button.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

import { PictureTile } from './picture-tile.tsx'
import type { UploadState } from './picture-upload.ts'
import { describeProgress } from './upload-words.ts'

type UploadProgressProps = {
  name: string
  kind: PictureKind
  state: Extract<UploadState, { phase: 'uploading' }>
  onCancel: () => void
}

export function UploadProgress({ name, kind, state, onCancel }: UploadProgressProps) {
  const { file, preview, fraction, pause } = state

  return (
    <div className="flex min-h-20 flex-wrap items-center gap-x-4 gap-y-3">
      <PictureTile src={preview} kind={kind} isFaded />
      <div className="min-w-40 flex-1">
        <div className="mb-2 flex justify-between gap-3 text-sm">
          <p className="truncate font-medium" title={file.name}>
            {file.name}
          </p>
          <p className="whitespace-nowrap text-muted">{Math.round(fraction * 100)} %</p>
        </div>
        <ProgressBar name={`${name}: upload`} fraction={fraction} isPaused={pause !== 'none'} />
        <div className="mt-1 flex min-h-9 items-center justify-between gap-3">
          <p aria-live="polite" className="text-[0.8125rem]/5 text-soft">
            {describeProgress(fraction, pause)}
          </p>
          <Button look="bare" onClick={onCancel} className="-me-4">
            Cancel upload
          </Button>
        </div>
      </div>
    </div>
  )
}
