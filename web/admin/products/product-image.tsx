import { sizedPicture } from '#contract/pictures.ts'
import { useBrokenPicture } from '#web/ui/use-broken-picture.ts'

/** A picture that fails to load is shown as no picture. */
export function ProductImage({ url }: { url: string | null }) {
  const { isBroken, watch } = useBrokenPicture(url)

  if (!url || isBroken) {
    return (
      <div className="grid size-12 place-items-center rounded-lg border border-dashed border-line-strong/60 bg-well text-center text-[0.6875rem]/3 text-muted">
        No image
      </div>
    )
  }
  return (
    <img
      {...watch}
      key={url}
      src={sizedPicture(url, 'thumb')}
      alt=""
      width={48}
      height={48}
      loading="lazy"
      className="size-12 max-w-none rounded-lg border border-line bg-well object-cover"
    />
  )
}
