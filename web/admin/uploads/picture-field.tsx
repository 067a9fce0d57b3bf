import { ImageUp } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, type Ref, useEffect, useId, useState } from 'react'

import { type PictureKind, shownPicture, uploadTypes } from '#contract/pictures.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { describeField, FieldFrame, type FieldTexts, toLabelId } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

import { describeFormats, type PictureUpload, type UploadState } from './picture-upload.ts'

type PictureFieldProps = Omit<FieldTexts, 'hint'> & {
  /** The URL of the current picture, or '': any text of a product. */
  value: string
  upload: PictureUpload
  onRemove: () => void
  ref: Ref<HTMLInputElement>
}

/** A picture that is chosen, dropped or pasted, shown while it uploads, and can be replaced or removed. */
export function PictureField(props: PictureFieldProps) {
  const { label, mark, error, value, upload, onRemove, ref } = props
  const id = useId()
  const { isDraggedOver, dropProps } = useFileDrop(upload.start)
  const hint = describeFormats(upload.kind)

  return (
    <FieldFrame {...{ id, label, mark, hint, error }}>
      <div
        {...dropProps}
        className={classNames(
          'relative min-h-28 rounded-lg border bg-card p-4 transition-colors',
          'has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent',
          value === '' && !upload.isRunning && 'border-dashed',
          isDraggedOver && 'border-accent bg-accent-wash',
          !isDraggedOver && (error ? 'border-danger' : 'border-line-strong'),
        )}
      >
        <input
          {...describeField(id, { hint, error })}
          ref={ref}
          type="file"
          accept={uploadTypes.join()}
          aria-labelledby={toLabelId(id)}
          required={mark === '*'}
          onChange={({ target: input }) => {
            const [file] = input.files ?? []
            // Cleared, so that choosing the same file again is a change.
            input.value = ''
            if (file) upload.start(file)
          }}
          className="sr-only"
        />
        <FieldContent
          inputId={id}
          label={label}
          value={value}
          upload={upload}
          onRemove={onRemove}
        />
      </div>
    </FieldFrame>
  )
}

type FieldContentProps = Pick<PictureFieldProps, 'label' | 'value' | 'upload' | 'onRemove'> & {
  inputId: string
}

function FieldContent({ inputId, label, value, upload, onRemove }: FieldContentProps) {
  const { state, kind } = upload
  // The pressed button disappears, so focus moves to the field it belongs to.
  const thenFocusField = (action: () => void) => () => {
    action()
    document.getElementById(inputId)?.focus()
  }

  if (state.phase === 'uploading') {
    return (
      <UploadProgress
        label={label}
        kind={kind}
        state={state}
        onCancel={thenFocusField(upload.cancel)}
      />
    )
  }

  return (
    <div className="flex min-h-20 flex-col justify-center gap-3">
      {value === '' ? (
        <label
          htmlFor={inputId}
          className="flex min-h-20 cursor-pointer flex-col items-center justify-center gap-1.5 text-center text-sm text-soft after:absolute after:inset-0"
        >
          <ImageUp aria-hidden className="size-5 text-muted" />
          <span>
            <span className="font-medium text-accent">Choose a picture</span>, or drop or paste it
            here
          </span>
        </label>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <Thumbnail src={shownPicture(value, kind === 'logo' ? 'logo' : 'item')} kind={kind} />
          <div className="flex gap-1">
            <label
              htmlFor={inputId}
              className="inline-flex h-9 cursor-pointer items-center rounded-lg px-4 text-sm font-medium text-accent hover:bg-accent-wash pointer-coarse:h-11"
            >
              Replace
            </label>
            <Button
              look="bare"
              onClick={thenFocusField(onRemove)}
              aria-describedby={toLabelId(inputId)}
            >
              Remove
            </Button>
          </div>
        </div>
      )}
      {state.phase === 'failed' && (
        <UploadFailed
          state={state}
          onRetry={(file) => thenFocusField(() => upload.retry(file))()}
        />
      )}
    </div>
  )
}

type UploadProgressProps = {
  label: string
  kind: PictureKind
  state: Extract<UploadState, { phase: 'uploading' }>
  onCancel: () => void
}

function UploadProgress({ label, kind, state, onCancel }: UploadProgressProps) {
  const { file, preview, fraction, pause } = state

  return (
    <div className="flex min-h-20 flex-wrap items-center gap-x-4 gap-y-3">
      <Thumbnail src={preview} kind={kind} isFaded />
      <div className="min-w-40 flex-1">
        <div className="mb-2 flex justify-between gap-3 text-sm">
          <p className="truncate font-medium" title={file.name}>
            {file.name}
          </p>
          <p className="whitespace-nowrap text-muted">{Math.round(fraction * 100)} %</p>
        </div>
        <ProgressBar name={`${label}: upload`} fraction={fraction} isPaused={pause !== 'none'} />
        <div className="mt-1 flex min-h-9 items-center justify-between gap-3">
          <p aria-live="polite" className="text-[0.8125rem]/5 text-soft">
            {describeProgress(state)}
          </p>
          <Button look="bare" onClick={onCancel} className="-me-4">
            Cancel upload
          </Button>
        </div>
      </div>
    </div>
  )
}

function describeProgress({ fraction, pause }: UploadProgressProps['state']): string {
  switch (pause) {
    case 'offline':
      return 'You are offline. The upload continues when you are back.'
    case 'busy':
      return 'The storage is busy. The upload continues in a moment.'
    case 'again':
      return 'That did not work. Trying again...'
    case 'none':
      return fraction < 1 ? 'Uploading...' : 'Checking the picture...'
  }
}

type UploadFailedProps = {
  state: Extract<UploadState, { phase: 'failed' }>
  onRetry: (file: File) => void
}

function UploadFailed({ state, onRetry }: UploadFailedProps) {
  const { message, detail, retryFile } = state

  return (
    <Notice look="danger" className="relative z-10">
      <p>
        {message}
        {detail && <span className="text-muted"> ({detail})</span>}
      </p>
      {retryFile && (
        <Button onClick={() => onRetry(retryFile)} className="mt-2">
          Retry upload
        </Button>
      )}
    </Notice>
  )
}

/** `src`: undefined for a text that is no picture. */
type ThumbnailProps = { src: string | undefined; kind: PictureKind; isFaded?: boolean }

/** Cropped as at checkout: products fill their square, logos keep their proportions. */
function Thumbnail({ src, kind, isFaded = false }: ThumbnailProps) {
  const [brokenSrc, setBrokenSrc] = useState<string>()
  const isBroken = src === undefined || src === brokenSrc

  return (
    <div
      className={classNames(
        // Not a grid, whose row would be as high as the picture.
        'flex h-20 shrink-0 items-center justify-center overflow-hidden rounded-md border border-line bg-[#fff]',
        kind === 'logo' ? 'w-40 p-2' : 'w-20',
      )}
    >
      {isBroken && <span className="scheme-light text-xs text-muted">No image</span>}
      {!isBroken && (
        <img
          key={src}
          src={src}
          alt=""
          onError={() => setBrokenSrc(src)}
          className={classNames(
            'size-full',
            kind === 'logo' ? 'object-contain' : 'object-cover',
            isFaded && 'opacity-50',
          )}
        />
      )}
    </div>
  )
}

/** Accepts a file by drop or paste. Spread `dropProps` on the element. */
function useFileDrop(onFile: (file: File) => void) {
  const [isDraggedOver, setIsDraggedOver] = useState(false)

  function takeFile(event: DragEvent | ClipboardEvent, data: DataTransfer) {
    const [file] = data.files
    if (!file) return
    event.preventDefault()
    onFile(file)
  }

  const dropProps = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setIsDraggedOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsDraggedOver(false)
    },
    onDrop: (event: DragEvent) => {
      setIsDraggedOver(false)
      takeFile(event, event.dataTransfer)
    },
    onPaste: (event: ClipboardEvent) => takeFile(event, event.clipboardData),
  }
  return { isDraggedOver, dropProps }
}

/** A file dropped outside its field would replace the page, and everything typed would be lost. */
export function useIgnoreStrayDrops() {
  useEffect(() => {
    const ignore = (event: Event) => event.preventDefault()
    window.addEventListener('dragover', ignore)
    window.addEventListener('drop', ignore)
    return () => {
      window.removeEventListener('dragover', ignore)
      window.removeEventListener('drop', ignore)
    }
  }, [])
}
