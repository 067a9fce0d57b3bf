import { useState } from 'react'

import { sizedPicture } from '#contract/pictures.ts'

/** A question mark stands for a picture that is not there, or no longer. */
export function ProductPicture({ url }: { url: string | null }) {
  const [brokenUrl, setBrokenUrl] = useState<string>()

  if (!url || url === brokenUrl) {
    return (
      <div className="grid size-10 shrink-0 place-items-center rounded-lg border border-dashed border-line-strong/60 bg-well text-muted">
        ?
      </div>
    )
  }
  return (
    <img
      key={url}
      src={sizedPicture(url, 'thumb')}
      alt=""
      width={40}
      height={40}
      loading="lazy"
      decoding="async"
      onError={() => setBrokenUrl(url)}
      className="size-10 max-w-none shrink-0 rounded-lg border border-line bg-well object-cover"
    />
  )
}
