import type { PictureKind } from '#contract/pictures.ts'

import type { Pause } from './keep-trying.ts'
import { NoAddress } from './upload-address.ts'
import { UploadFailure } from './upload-failure.ts'

export const uploadWords: Record<PictureKind, { uploaded: string; failed: string }> = {
  image: { uploaded: 'Image uploaded', failed: 'Failed to upload image. Please try again.' },
  logo: { uploaded: 'Logo uploaded', failed: 'Failed to upload logo. Please try again.' },
}

/** What whoever waits is told. A storage's own words stand behind ours, for whoever mends it. */
export function explainFailure(error: Error, kind: PictureKind) {
  if (error instanceof NoAddress) {
    const sentence = error.sentence ?? 'Failed to get upload URL. Please try again.'
    return { title: 'Upload failed', sentence }
  }
  const sentence = error instanceof UploadFailure ? error.sentence : undefined
  return {
    title: 'Upload error',
    sentence: sentence ?? uploadWords[kind].failed,
    detail: sentence ? undefined : error.message,
  }
}

export function describeProgress(fraction: number, pause: Pause): string {
  switch (pause) {
    case 'offline':
      return 'You are offline. The upload goes on when you are back.'
    case 'busy':
      return 'The storage is busy. The upload goes on in a moment.'
    case 'again':
      return 'That did not work. Trying again...'
    case 'none':
      return fraction < 1 ? 'Uploading...' : 'Checking the picture...'
  }
}
