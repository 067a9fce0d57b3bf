import { apiRoutes } from '#contract/paths.ts'
import {
  objectUrl,
  type PictureKind,
  sizedPicture,
  type UploadAddress,
} from '#contract/pictures.ts'
import { callServer, refusalText } from '#web/api.ts'

import { noAnswer, refusedWith } from './upload-failure.ts'

/** The server gave no address to upload to. */
export class NoAddress extends Error {
  readonly sentence: string | undefined

  constructor(cause: Error) {
    super(cause.message, { cause })
    this.name = 'NoAddress'
    this.sentence = refusalText(cause)
  }
}

/** Asked for once, as every change is: patience is for the bytes alone (keep-trying.ts). */
export async function askForAddress(
  kind: PictureKind,
  signal: AbortSignal,
): Promise<UploadAddress> {
  try {
    const response = await callServer('POST', apiRoutes.upload, { kind }, signal)
    const address = (await response.json()) as UploadAddress
    return { ...address, uploadURL: toAbsolute(address.uploadURL) }
  } catch (error) {
    signal.throwIfAborted()
    throw new NoAddress(error instanceof Error ? error : new Error(String(error)))
  }
}

/** With an S3 storage the server sees the picture when it is first asked for, so ask, and hear what it says. */
export async function checkPicture(objectPath: string, signal: AbortSignal): Promise<void> {
  let response: Response
  try {
    response = await fetch(sizedPicture(objectUrl(objectPath), 'thumb'), { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw noAnswer(error)
  }
  const { status, headers } = response
  if (response.ok) return void (await response.arrayBuffer())
  throw refusedWith(status, await response.text(), headers.get('retry-after'))
}

function toAbsolute(url: string | undefined): string {
  return url ? new URL(url, location.href).href : ''
}
