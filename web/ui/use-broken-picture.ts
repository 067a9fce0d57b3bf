import { useState } from 'react'

/** Whether a picture did not load. Another address gets a chance of its own. Spread `watch` on the img. */
export function useBrokenPicture(url: string | null | undefined) {
  const [brokenUrl, setBrokenUrl] = useState<string>()
  return {
    isBroken: Boolean(url) && url === brokenUrl,
    watch: { onError: () => setBrokenUrl(url ?? undefined) },
  }
}
