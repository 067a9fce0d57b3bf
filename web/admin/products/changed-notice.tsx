import { useEffect, useRef } from 'react'

import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

import { type ChangedField, describeValue, labelOf } from './changed-meanwhile.ts'
import type { ProductValues } from './product-form.ts'

/** What somebody else has saved while the form was open. */
export type ChangedMeanwhile = {
  fields: ChangedField[]
  /** How many there are now; undefined where the form says the same. */
  pieces: string | undefined
  theirs: ProductValues
  isTaken: boolean
}

type ChangedNoticeProps = { changed: ChangedMeanwhile; onTake: () => void }

/** Takes the focus when it appears, since saving did not do what was expected. */
export function ChangedNotice({ changed, onTake }: ChangedNoticeProps) {
  const { fields, pieces, theirs, isTaken } = changed
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    frame.current?.focus()
  }, [])

  return (
    <Notice look="warning" role="alert" ref={frame} tabIndex={-1} className="mt-6">
      {isTaken ? (
        <p>These changes are in the form now. “Update Product” saves it.</p>
      ) : (
        <>
          <p className="font-medium">Somebody saved this product meanwhile.</p>
          {pieces && (
            <p className="mt-2">
              Pieces in stock now: <span className="font-medium">{pieces}</span>
            </p>
          )}
          {fields.length > 0 ? (
            <>
              <dl className="mt-2 flex flex-col gap-1">
                {fields.map((field) => (
                  <div key={field} className="flex flex-wrap gap-x-1.5">
                    <dt>{labelOf(field)}:</dt>
                    <dd className="line-clamp-3 font-medium">{describeValue(theirs, field)}</dd>
                  </div>
                ))}
              </dl>
              <p className="mt-2">
                What you typed is still here. “Update Product” saves the form over these changes.
              </p>
              <Button className="mt-3" onClick={onTake}>
                Take these changes
              </Button>
            </>
          ) : (
            <p className="mt-1">
              Nothing {pieces ? 'else ' : ''}in this form was changed. “Update Product” saves what
              you typed.
            </p>
          )}
        </>
      )}
    </Notice>
  )
}
