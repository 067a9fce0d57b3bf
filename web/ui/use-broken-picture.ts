import { useState } from 'react'

/** Whether the picture at this URL failed to load. Spread `watch` on the img. */
export function useBrokenPicture(url: string | null | undefined) {
  const [brokenUrl, setBrokenUrl] = useState<string>()
  return {
    isBroken: Boolean(url) && url === brokenUrl,
    watch: { onError: () => setBrokenUrl(url ?? undefined) },
  }
}
