import type { PictureKind } from '#contract/pictures.ts'
import { classNames } from '#web/ui/class-names.ts'
import { useBrokenPicture } from '#web/ui/use-broken-picture.ts'

type PictureTileProps = {
  src: string | undefined
  kind: PictureKind
  isFaded?: boolean
}

/** A picture in small, as the checkout crops it: products fill their square, logos keep their shape. */
export function PictureTile({ src, kind, isFaded = false }: PictureTileProps) {
  const { isBroken, watch } = useBrokenPicture(src)

  return (
    <div
      className={classNames(
        'grid h-20 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-[#fff]',
        kind === 'logo' ? 'w-40 p-2' : 'w-20',
      )}
    >
      {isBroken && <span className="scheme-light text-xs text-muted">No image</span>}
      {src && !isBroken && (
        <img
          {...watch}
          key={src}
          src={src}
          alt=""
          className={classNames(
            'size-full',
            kind === 'logo' ? 'object-contain' : 'object-cover',
            isFaded && 'opacity-50',
          )}
        />
      )}
    </div>
  )
}
