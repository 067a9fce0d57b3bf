import type { ReactNode } from 'react'

import { shownPicture } from '#contract/pictures.ts'
import { ProductPicture } from '#web/ui/product-picture.tsx'

import { Icon } from './icon.tsx'

type ProductLineProps = {
  product: { name: string; imageUrl: string | null }
  /** One of them is shown instead of the product's, once it is chosen. */
  values?: { id: string; imageUrl: string | null }[] | undefined
  price: ReactNode
  children: ReactNode
}

/** What is bought, with its picture and price. */
export function ProductLine({ product, values = [], price, children }: ProductLineProps) {
  return (
    <div className="flex items-start gap-3 min-[400px]:gap-4">
      <span className="relative overflow-hidden rounded-xl">
        <ProductPicture
          url={product.imageUrl}
          size="item"
          placeholder={<Icon name="parcel" className="size-7" strokeWidth={1.5} />}
          className="size-14 rounded-xl min-[400px]:size-18"
        />
        {values.map(
          ({ id, imageUrl }) =>
            imageUrl && (
              <img
                key={id}
                hidden
                data-value={id}
                src={shownPicture(imageUrl, 'item')}
                alt=""
                loading="lazy"
                className="absolute inset-0 size-full object-cover"
              />
            ),
        )}
      </span>
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-medium">{product.name}</p>
        {children}
      </div>
      <span className="text-end font-medium">{price}</span>
    </div>
  )
}
