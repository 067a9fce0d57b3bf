import { useEffect, useState, useSyncExternalStore } from 'react'

import { objectUrl, type PictureKind } from '#contract/pictures.ts'

import { createPictureUpload } from './picture-upload.ts'

export type PictureUpload = ReturnType<typeof usePictureUpload>

/** The upload of a field, and what becomes of it: the address of a picture that is there. */
export function usePictureUpload(kind: PictureKind, onUploaded: (url: string) => void) {
  const [upload] = useState(() => createPictureUpload(kind))
  const state = useSyncExternalStore(upload.subscribe, upload.read)
  useEffect(() => () => upload.cancel(), [upload])

  return {
    kind,
    state,
    isRunning: state.phase === 'uploading',
    start: (file: File) => upload.start(file, (objectPath) => onUploaded(objectUrl(objectPath))),
    retry: upload.retry,
    cancel: upload.cancel,
  }
}
