import type { ReactNode } from 'react'

import { fillText } from '#contract/languages.ts'
import type {
  MissingPageData,
  NotForSalePageData,
  PageLanguage,
  ShopFacts,
} from '#contract/public-pages.ts'
import { Logo } from '#web/ui/logo.tsx'
import { Receipt } from '#web/ui/receipt.tsx'

import { pageTexts } from './page-texts.ts'
import { ShopContact } from './shop-contact.tsx'
import { LanguageSwitch, listImprint, withdrawalFormUrl } from './shop-footer.tsx'
import { ShopHeader } from './shop-header.tsx'

const reasons = {
  'Product not found': 'productReason',
  'Order not found': 'orderReason',
  'Page Not Found': 'pageReason',
} as const

export function MissingPage({ text, isRestored = false, shop, spoken }: MissingPageData) {
  const { missing } = pageTexts()
  const isLost = isRestored && text === 'Order not found'
  return (
    <MessagePage
      title={missing[text]}
      text={missing[isLost ? 'lostOrderReason' : reasons[text]]}
      header={<ShopMark shop={shop} />}
    >
      <AboutShop shop={shop} spoken={spoken} />
    </MessagePage>
  )
}

/** The shop's logo, else its name, else ours. */
function ShopMark({ shop: { logoUrl, name } }: { shop: ShopFacts }) {
  if (!logoUrl) return name ?? <Logo />
  const header = { headerLogoUrl: logoUrl, headerName: name }
  return <ShopHeader product={header} fallback="" isCentered />
}

/** In place of the checkout of a product that is not sold for a while. */
export function NotForSalePage({ reason, product, shop, spoken }: NotForSalePageData) {
  const { [reason]: texts } = pageTexts()
  return (
    <MessagePage
      title={texts.title}
      text={fillText(texts.text, { product: product.name })}
      header={<ShopHeader product={product} fallback={shop.name ?? ''} isCentered />}
    >
      <AboutShop shop={shop} spoken={spoken} />
    </MessagePage>
  )
}

/** These pages have no script, so the imprint opens by itself, and the form to withdraw is a page. */
function AboutShop({ shop, spoken }: { shop: ShopFacts; spoken: PageLanguage }) {
  const imprint = listImprint(shop)

  return (
    <div className="mt-4 text-sm/6 text-soft">
      <ShopContact shop={shop} />
      {shop.policies.withdrawalFor !== 'nobody' && (
        <p className="mt-2">
          <a
            href={withdrawalFormUrl(spoken)}
            className="inline-flex min-h-11 items-center rounded underline underline-offset-3"
          >
            {pageTexts().withdrawal.here}
          </a>
        </p>
      )}
      {imprint.length > 0 && (
        <details className="mt-2">
          <summary className="inline-flex min-h-11 cursor-pointer items-center rounded underline underline-offset-3">
            {pageTexts().footer.imprint}
          </summary>
          {imprint.map((text, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two may be equal, and none ever moves
            <p key={index} className="mt-2 wrap-anywhere whitespace-pre-line">
              {text}
            </p>
          ))}
        </details>
      )}
      <LanguageSwitch spoken={spoken} />
    </div>
  )
}

type MessagePageProps = {
  title: string
  text: string
  /** The shop's logo or name. */
  header?: ReactNode
  children?: ReactNode
}

/** In place of any page that cannot be shown right now. */
export function MessagePage({ title, text, header, children }: MessagePageProps) {
  return (
    <main className="grid min-h-dvh place-items-center overflow-x-clip p-4">
      <Receipt className="max-w-sm">
        <div className="px-6 pt-6 pb-10 text-center sm:px-8">
          {header && <div className="mb-6 font-semibold wrap-anywhere">{header}</div>}
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          <p className="mt-3 text-sm/6 wrap-anywhere text-soft">{text}</p>
          {children}
        </div>
      </Receipt>
    </main>
  )
}
