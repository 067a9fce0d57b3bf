import { sizedPicture } from '#contract/pictures.ts'
import { Icon } from './icon.tsx'

/**
 * The name stands beside it, so the picture itself says nothing to those who listen. A picture lies upon the sign
 * that stands for none: where it does not load, the sign is seen (shell.ts).
 */
export function ProductPicture({ imageUrl }: { imageUrl: string | null }) {
  return (
    <span className="relative grid size-14 shrink-0 place-items-center overflow-hidden rounded-xl border border-line bg-card text-muted min-[400px]:size-18">
      <Icon name="parcel" className="size-7" strokeWidth={1.5} />
      {imageUrl && (
        <img
          data-product-picture=""
          src={sizedPicture(imageUrl, 'item')}
          alt=""
          width={72}
          height={72}
          className="absolute inset-0 size-full bg-card object-cover"
        />
      )}
    </span>
  )
}
