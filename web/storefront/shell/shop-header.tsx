import { shownPicture } from '#contract/pictures.ts'
import { classNames } from '#web/ui/class-names.ts'

type ShopHeaderProps = {
  product: { headerLogoUrl: string; headerName: string | null }
  /** For a shop with neither logo nor name. */
  fallback: string
  isCentered?: boolean
}

/** The shop's logo, else its name. A logo that does not load is replaced by its text in enhance.ts. */
export function ShopHeader({ product, fallback, isCentered }: ShopHeaderProps) {
  const name = product.headerName || fallback
  const logo = shownPicture(product.headerLogoUrl, 'logo')

  return (
    <span className="block truncate text-2xl/12 font-semibold tracking-tight">
      {logo !== undefined ? (
        <img
          data-shop-logo=""
          src={logo}
          alt={name}
          width={288}
          height={48}
          className={classNames(
            'h-12 w-72 max-w-full object-contain text-base',
            isCentered ? 'mx-auto object-center' : 'object-left',
          )}
        />
      ) : (
        name
      )}
    </span>
  )
}
