import { useEffect, useRef, useState } from 'react'

import {
  maxPictureBytes,
  objectUrl,
  type PictureKind,
  maxSvgBytes,
  uploadTypes,
} from '#contract/pictures.ts'
import { refusals } from '#contract/refusals.ts'
import { handleUnauthorized } from '#web/admin/session/session.ts'
import { refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { checkPicture, putFile, requestUploadUrl, UploadError } from './upload-request.ts'
import { type Pause, retryUpload } from './upload-retry.ts'

export type UploadState =
  | { phase: 'idle' }
  /** `fraction` runs from 0 to 1; at 1 the server checks the picture. */
  | { phase: 'uploading'; file: File; preview: string; fraction: number; pause: Pause }
  /** `retryFile` is undefined if the file itself was refused. */
  | { phase: 'failed'; message: string; detail: string | undefined; retryFile: File | undefined }

export type PictureUpload = ReturnType<typeof usePictureUpload>

/** The upload of one form field. A new file replaces a running upload. */
export function usePictureUpload(kind: PictureKind, onUploaded: (url: string) => void) {
  const [state, setState] = useState<UploadState>({ phase: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function send(file: File) {
    const { signal } = (running.current = new AbortController())
    const update = (changes: { fraction: number } | { pause: Pause }) => {
      if (!signal.aborted) setState((old) => ({ ...old, ...changes }))
    }
    const preview = URL.createObjectURL(file)
    setState({ phase: 'uploading', file, preview, fraction: 0, pause: 'none' })
    try {
      const objectPath = await uploadPicture(file, kind, {
        signal,
        onProgress: (bytesSent) => update({ fraction: bytesSent / file.size }),
        onPause: (pause) => update({ pause }),
      })
      signal.throwIfAborted()
      setState({ phase: 'idle' })
      toast({ title: uploadTexts[kind].uploaded })
      onUploaded(objectUrl(objectPath))
    } catch (error) {
      if (!signal.aborted) fail(error instanceof Error ? error : new Error(String(error)), file)
    } finally {
      URL.revokeObjectURL(preview)
    }
  }

  function fail(error: Error, file: File) {
    const { title, message, detail } = describeUploadError(error, kind)
    setState({
      phase: 'failed',
      message,
      detail,
      retryFile: isFileRefused(error) ? undefined : file,
    })
    if (!handleUnauthorized(error)) toast({ title, description: message, variant: 'destructive' })
  }

  return {
    kind,
    state,
    isRunning: state.phase === 'uploading',
    start: (file: File) => {
      running.current?.abort()
      const problem = findPictureProblem(file, kind)
      if (!problem) return void send(file)
      setState({ phase: 'failed', message: problem, detail: undefined, retryFile: undefined })
      toast({ title: 'Upload error', description: problem, variant: 'destructive' })
    },
    retry: (file: File) => void send(file),
    cancel: () => {
      running.current?.abort()
      setState({ phase: 'idle' })
    },
  }
}

type UploadPictureOptions = {
  signal: AbortSignal
  onProgress: (bytesSent: number) => void
  onPause: (pause: Pause) => void
}

/** Returns the object path of the stored picture. */
async function uploadPicture(file: File, kind: PictureKind, options: UploadPictureOptions) {
  const { signal, onProgress, onPause } = options
  let address = await requestUploadUrl(kind, signal)
  const retryOptions = {
    signal,
    onPause,
    renewUrl: async () => {
      address = await requestUploadUrl(kind, signal)
    },
  }
  await retryUpload(
    () => putFile({ url: address.uploadURL, file, onProgress, signal }),
    retryOptions,
  )
  await retryUpload(() => checkPicture(address.objectPath, signal), retryOptions)
  return address.objectPath
}

const bytesPerMegabyte = 1024 * 1024

function maxMegabytes(kind: PictureKind, { isSvg = false } = {}): number {
  return (isSvg ? maxSvgBytes : maxPictureBytes[kind]) / bytesPerMegabyte
}

/** What may be uploaded. */
export function describeFormats(kind: PictureKind): string {
  const svg = `SVG up to ${maxMegabytes(kind, { isSvg: true })} MB`
  return `PNG, JPEG, WebP, GIF or AVIF up to ${maxMegabytes(kind)} MB, ${svg}`
}

/** The refusal that the server would send after the upload, without uploading. */
export function findPictureProblem(
  file: Pick<File, 'size' | 'type'>,
  kind: PictureKind,
): string | undefined {
  if (!uploadTypes.some((type) => type === file.type)) return refusals['picture-unknown'].text
  if (file.size === 0) return refusals['picture-empty'].text
  const megabytes = maxMegabytes(kind, { isSvg: file.type === 'image/svg+xml' })
  if (file.size > megabytes * bytesPerMegabyte)
    return `This file is larger than ${megabytes} MB. Please upload a smaller picture.`
  return undefined
}

const uploadTexts: Record<PictureKind, { uploaded: string; failed: string }> = {
  image: { uploaded: 'Image uploaded', failed: 'Failed to upload image. Please try again.' },
  logo: { uploaded: 'Logo uploaded', failed: 'Failed to upload logo. Please try again.' },
}

function describeUploadError(error: Error, kind: PictureKind) {
  if (!(error instanceof UploadError)) {
    // Only the request for the upload URL throws other errors.
    const message = refusalText(error) ?? 'Failed to get upload URL. Please try again.'
    return { title: 'Upload failed', message, detail: undefined }
  }
  const { userMessage } = error
  return {
    title: 'Upload error',
    message: userMessage ?? uploadTexts[kind].failed,
    detail: userMessage ? undefined : error.message,
  }
}

/** The same file would be refused again. */
function isFileRefused(error: Error): boolean {
  return error instanceof UploadError && [413, 422].includes(error.status)
}
