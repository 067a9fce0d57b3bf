import { sizedPicture } from '#contract/pictures.ts'
import { Icon } from './icon.tsx'

/** The name stands beside it, so the picture itself says nothing to those who listen. */
export function ProductPicture({ imageUrl }: { imageUrl: string | null }) {
  if (!imageUrl) {
    return (
      <span className="grid size-14 shrink-0 min-[400px]:size-18 place-items-center rounded-xl border border-line bg-card text-muted">
        <Icon name="parcel" className="size-7" strokeWidth={1.5} />
      </span>
    )
  }
  return (
    <img
      src={sizedPicture(imageUrl, 'item')}
      alt=""
      width={72}
      height={72}
      className="size-14 shrink-0 min-[400px]:size-18 rounded-xl border border-line bg-card object-cover"
    />
  )
}
