import { type Ref, useId } from 'react'

import { pictureTypes } from '#contract/pictures.ts'
import { classNames } from '#web/ui/class-names.ts'
import { describeField, FieldFrame, type FieldTexts, toLabelId } from '#web/ui/fields.tsx'

import { PictureBox } from './picture-box.tsx'
import { largestInMegabytes } from './picture-problem.ts'
import { useFileDrop } from './use-file-drop.ts'
import type { PictureUpload } from './use-picture-upload.ts'

type PictureFieldProps = Omit<FieldTexts, 'hint'> & {
  /** The address of the picture that is there, or nothing. */
  value: string
  upload: PictureUpload
  onRemove: () => void
  ref: Ref<HTMLInputElement>
}

/** A picture: chosen, dropped or pasted, shown while it travels, replaced or removed afterwards. */
export function PictureField(props: PictureFieldProps) {
  const { label, mark, error, value, upload, onRemove, ref } = props
  const id = useId()
  const { isOver, target } = useFileDrop(upload.start)
  const hint = `PNG, JPEG, WebP, GIF or AVIF, up to ${largestInMegabytes(upload.kind)} MB`

  return (
    <FieldFrame {...{ id, label, mark, hint, error }}>
      <div
        {...target}
        className={classNames(
          'relative min-h-28 rounded-lg border bg-card p-4 transition-colors',
          'has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent',
          value === '' && !upload.isRunning && 'border-dashed',
          isOver && 'border-accent bg-accent-wash',
          !isOver && (error ? 'border-danger' : 'border-line-strong'),
        )}
      >
        <input
          {...describeField(id, { hint, error })}
          ref={ref}
          type="file"
          accept={pictureTypes.join()}
          aria-labelledby={toLabelId(id)}
          required={mark === '*'}
          onChange={({ target: input }) => {
            const [file] = input.files ?? []
            // Forgotten at once, so that the same file can be chosen again.
            input.value = ''
            if (file) upload.start(file)
          }}
          className="sr-only"
        />
        <PictureBox inputId={id} value={value} upload={upload} onRemove={onRemove} name={label} />
      </div>
    </FieldFrame>
  )
}
