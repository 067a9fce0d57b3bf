import { noAnswer, refusedWith, timedOut, UploadFailure } from './upload-failure.ts'

/** Nothing has moved for so long: this connection is dead, whatever it says of itself. */
const longestStillnessMs = 60_000

type PutBytesOptions = {
  url: string | undefined
  body: Blob
  /** Bytes that have left. */
  onProgress: (loaded: number) => void
  signal: AbortSignal
}

/** One attempt, by XMLHttpRequest because fetch cannot tell how far it is. Answers the response's headers. */
export function putBytes({ url, body, onProgress, signal }: PutBytesOptions) {
  return new Promise<Headers>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    if (!url) return reject(new UploadFailure('Cannot upload to an undefined URL', { status: 400 }))
    if (body.size === 0) return reject(new UploadFailure('File data is empty', { status: 400 }))

    const request = new XMLHttpRequest()
    const cancel = () => end(() => reject(signal.reason))
    const giveUp = () => end(() => reject(timedOut()))
    let stillness = setTimeout(giveUp, longestStillnessMs)

    function end(settle: () => void) {
      clearTimeout(stillness)
      signal.removeEventListener('abort', cancel)
      settle()
      request.abort()
    }

    signal.addEventListener('abort', cancel)
    request.upload.addEventListener('progress', ({ loaded }) => {
      clearTimeout(stillness)
      stillness = setTimeout(giveUp, longestStillnessMs)
      onProgress(loaded)
    })
    request.addEventListener('error', () => end(() => reject(noAnswer())))
    request.addEventListener('load', () => {
      const { status, responseText } = request
      const headers = headersOf(request)
      const isDone = status >= 200 && status < 300
      end(() =>
        isDone
          ? resolve(headers)
          : reject(refusedWith(status, responseText, headers.get('retry-after'))),
      )
    })
    request.open('PUT', url)
    request.send(body)
  })
}

/** Asking another origin's answer for one header that it hides is an error in the console; asking for all is not. */
function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}
