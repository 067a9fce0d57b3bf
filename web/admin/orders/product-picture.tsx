import { sizedPicture } from '#contract/pictures.ts'
import { useBrokenPicture } from '#web/ui/use-broken-picture.ts'

/** A question mark replaces a picture that is missing or does not load. */
export function ProductPicture({ url }: { url: string | null }) {
  const { isBroken, watch } = useBrokenPicture(url)

  if (!url || isBroken) {
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
      {...watch}
      className="size-10 max-w-none shrink-0 rounded-lg border border-line bg-well object-cover"
    />
  )
}
