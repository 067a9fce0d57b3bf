import { ImageUp } from 'lucide-react'

import { sizedPicture } from '#contract/pictures.ts'
import { Button } from '#web/ui/button.tsx'
import { toLabelId } from '#web/ui/fields.tsx'

import { PictureTile } from './picture-tile.tsx'
import { UploadFailed } from './upload-failed.tsx'
import { UploadProgress } from './upload-progress.tsx'
import type { PictureUpload } from './use-picture-upload.ts'

type PictureBoxProps = {
  inputId: string
  /** The field's name. */
  name: string
  value: string
  upload: PictureUpload
  onRemove: () => void
}

/** What is in the box: a picture on its way, the one that is there, or the place for one. */
export function PictureBox({ inputId, name, value, upload, onRemove }: PictureBoxProps) {
  const { state, kind } = upload
  // The button that was pressed goes away; the field it belongs to is where to go on.
  const thenGoOn = (action: () => void) => () => {
    action()
    document.getElementById(inputId)?.focus()
  }

  if (state.phase === 'uploading') {
    return (
      <UploadProgress name={name} kind={kind} state={state} onCancel={thenGoOn(upload.cancel)} />
    )
  }

  return (
    <div className="flex min-h-20 flex-col justify-center gap-3">
      {value === '' ? (
        <EmptyPlace inputId={inputId} />
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <PictureTile src={sizedPicture(value, kind === 'logo' ? 'logo' : 'item')} kind={kind} />
          <div className="flex gap-1">
            <label htmlFor={inputId} className={`${textButton} text-accent hover:bg-accent-wash`}>
              Replace
            </label>
            <Button look="bare" onClick={thenGoOn(onRemove)} aria-describedby={toLabelId(inputId)}>
              Remove
            </Button>
          </div>
        </div>
      )}
      {state.phase === 'failed' && <UploadFailed state={state} onRetry={thenGoOn(upload.retry)} />}
    </div>
  )
}

const textButton =
  'inline-flex h-9 cursor-pointer items-center rounded-lg px-4 text-sm font-medium pointer-coarse:h-11'

function EmptyPlace({ inputId }: { inputId: string }) {
  return (
    <label
      htmlFor={inputId}
      className="flex min-h-20 cursor-pointer flex-col items-center justify-center gap-1.5 text-center text-sm text-soft after:absolute after:inset-0"
    >
      <ImageUp aria-hidden className="size-5 text-muted" />
      <span>
        <span className="font-medium text-accent">Choose a picture</span>, or drop or paste it here
      </span>
    </label>
  )
}
