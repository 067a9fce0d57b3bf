import type { ReactNode, SyntheticEvent } from 'react'

import { type PictureSize, shownPicture } from '#contract/pictures.ts'

import { classNames } from './class-names.ts'

type ProductPictureProps = {
  /** Any text of a product: what is no picture counts as none. */
  url: string | null
  /** Which size of an uploaded picture is loaded. */
  size: PictureSize
  loading?: 'lazy'
  /** Shown where there is no picture, or where it does not load. */
  placeholder: ReactNode
  /** As an empty slot, in the back-office. */
  hasDashedPlaceholder?: boolean
  /** Size and corners. */
  className: string
}

/** Stands beside the product's name, so it needs no alternative text. */
export function ProductPicture({
  url,
  size,
  loading,
  placeholder,
  hasDashedPlaceholder = false,
  className,
}: ProductPictureProps) {
  const source = shownPicture(url, size)
  return (
    <span
      className={classNames(
        'relative grid shrink-0 place-items-center overflow-hidden border text-muted',
        hasDashedPlaceholder ? dashedUnlessShown : 'border-line bg-card',
        className,
      )}
    >
      {source !== undefined && (
        <img
          // Another picture gets an element of its own, which is not hidden.
          key={source}
          // In pages that React does not hydrate, storefront/shell/enhance.ts hides a broken picture.
          data-product-picture=""
          src={source}
          alt=""
          loading={loading}
          onError={hidePicture}
          className="peer absolute inset-0 size-full object-cover"
        />
      )}
      <span className="peer-[:not([hidden])]:hidden">{placeholder}</span>
    </span>
  )
}

const dashedUnlessShown =
  'border-dashed border-line-strong/60 bg-well has-[img:not([hidden])]:border-solid has-[img:not([hidden])]:border-line'

function hidePicture({ currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  currentTarget.hidden = true
}
