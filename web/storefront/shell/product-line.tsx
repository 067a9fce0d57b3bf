import type { ReactNode } from 'react'

import { ProductPicture } from '#web/ui/product-picture.tsx'

import { Icon } from './icon.tsx'

type ProductLineProps = {
  product: { name: string; imageUrl: string | null }
  price: ReactNode
  children: ReactNode
}

/** What is bought, with its picture and price. */
export function ProductLine({ product, price, children }: ProductLineProps) {
  return (
    <div className="flex items-start gap-3 min-[400px]:gap-4">
      <ProductPicture
        url={product.imageUrl}
        size="item"
        placeholder={<Icon name="parcel" className="size-7" strokeWidth={1.5} />}
        className="size-14 rounded-xl min-[400px]:size-18"
      />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-medium">{product.name}</p>
        {children}
      </div>
      <span className="text-end font-medium">{price}</span>
    </div>
  )
}
