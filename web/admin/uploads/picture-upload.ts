import type { PictureKind } from '#contract/pictures.ts'
import { handleUnauthorized } from '#web/admin/session/session.ts'
import { toast } from '#web/ui/use-toast.ts'

import type { Pause } from './keep-trying.ts'
import { maybePictureProblem } from './picture-problem.ts'
import { createPictureUppy } from './picture-uppy.ts'
import { NoAddress } from './upload-address.ts'
import { UploadFailure } from './upload-failure.ts'
import { explainFailure, uploadWords } from './upload-words.ts'

export type UploadState =
  | { phase: 'idle' }
  /** The fraction runs from 0 to 1; at 1 the server looks at the picture. */
  | { phase: 'uploading'; file: File; preview: string; fraction: number; pause: Pause }
  | { phase: 'failed'; sentence: string; detail: string | undefined; canRetry: boolean }

/** The upload of one field: at most one at a time, a new file takes the place of the last. */
export function createPictureUpload(kind: PictureKind) {
  const listeners = new Set<() => void>()
  let state: UploadState = { phase: 'idle' }
  let running: { cancel: () => void; retry: () => void } | undefined

  function show(next: UploadState) {
    const preview = 'preview' in state ? state.preview : undefined
    if (preview && !('preview' in next && next.preview === preview)) URL.revokeObjectURL(preview)
    state = next
    for (const listener of listeners) listener()
  }

  function change(changes: { fraction?: number; pause?: Pause }) {
    if (state.phase === 'uploading') show({ ...state, ...changes })
  }

  function start(file: File, onUploaded: (objectPath: string) => void) {
    running?.cancel()
    running = undefined
    const problem = maybePictureProblem(file, kind)
    if (problem) return refuse(problem)

    const begin = () =>
      show({
        phase: 'uploading',
        file,
        preview: URL.createObjectURL(file),
        fraction: 0,
        pause: 'none',
      })
    begin()
    const { uppy, readObjectPath } = createPictureUppy({
      kind,
      onPause: (pause) => change({ pause }),
    })
    uppy.on('upload-progress', (_file, { bytesUploaded, bytesTotal }) => {
      change({ fraction: bytesTotal ? bytesUploaded / bytesTotal : 0 })
    })
    uppy.on('upload-error', (_file, error) => fail(error))
    uppy.on('upload-success', () => {
      show({ phase: 'idle' })
      toast({ title: uploadWords[kind].uploaded })
      onUploaded(readObjectPath())
    })
    const fileId = uppy.addFile({ name: file.name, type: file.type, data: file })
    running = {
      cancel: () => uppy.destroy(),
      retry: () => {
        begin()
        uppy.retryUpload(fileId).catch(fail)
      },
    }
    uppy.upload().catch(fail)
  }

  function refuse(sentence: string) {
    show({ phase: 'failed', sentence, detail: undefined, canRetry: false })
    toast({ title: 'Upload error', description: sentence, variant: 'destructive' })
  }

  function fail(error: Error) {
    if (state.phase !== 'uploading') return
    const { title, sentence, detail } = explainFailure(error, kind)
    show({ phase: 'failed', sentence, detail, canRetry: mayHelp(error) })
    if (error instanceof NoAddress && handleUnauthorized(error)) return
    toast({ title, description: sentence, variant: 'destructive' })
  }

  return {
    start,
    retry: () => running?.retry(),
    cancel: () => {
      running?.cancel()
      running = undefined
      show({ phase: 'idle' })
    },
    read: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The same file is refused again for what it is; anything else may go better next time. */
function mayHelp(error: Error): boolean {
  return !(error instanceof UploadFailure && [413, 422].includes(error.status))
}
