import { sizedPicture } from '#contract/pictures.ts'
import { Icon } from './icon.tsx'

/** The name stands beside it, so the picture itself says nothing to those who listen. */
export function ProductPicture({ imageUrl }: { imageUrl: string | null }) {
  if (!imageUrl) {
    return (
      <span className="grid size-18 shrink-0 place-items-center rounded-xl border border-line bg-card text-muted">
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
      className="size-18 shrink-0 rounded-xl border border-line bg-card object-cover"
    />
  )
}
