import { renderToStaticMarkup, renderToString } from 'react-dom/server'

import { pickAddressForms } from '#contract/address-forms.ts'
import type { Country } from '#contract/countries.ts'
import { fillText, type Language } from '#contract/languages.ts'
import type { LinkCard } from '#contract/link-cards.ts'
import {
  isPolicyUrl,
  type CheckoutPageData,
  type MissingPageData,
  type NotForSalePageData,
  type PageAssets,
  type ProblemPageData,
  type ShopContactFacts,
  type ShopFacts,
  type ThankYouPageData,
  type WithdrawalPageData,
} from '#contract/public-pages.ts'
import { listAddressCountries } from '#contract/quotes.ts'
import { nameCountries } from '#contract/texts/countries.ts'
import { checkoutTextsOf, priceTextsOf, textsWithMethods } from '#contract/texts/all.ts'
import { CheckoutPage } from '#web/storefront/checkout/checkout-page.tsx'
import { ThankYouPage } from '#web/storefront/thank-you/thank-you-page.tsx'
import favicon from '#web/ui/favicon.svg'

import { CheckoutShell, NoScriptNotice } from './checkout-shell.tsx'
import { translateRefusal } from './describe-refusal.ts'
import { LinkTags, writeProductData } from './link-tags.tsx'
import { language, speak, type Spoken, texts } from './language.ts'
import { MessagePage, MissingPage, NotForSalePage } from './missing-page.tsx'
import { nonceId, type PageData, pageDataId, serializePageData } from './page-data.ts'
import { showMoney } from './money.ts'
import { formatPlace, pageTexts } from './page-texts.ts'
import { hasParts, pricedPage, showPrice } from './price.ts'
import { WithdrawalPage } from './withdrawal-page.tsx'

/**
 * From here on, until the next page. Only a page that asks for addresses needs countries, and few show parts of a price or
 * take more than cards.
 */
function speakFor(
  { spoken }: { spoken: { language: Language } },
  {
    countries = [],
    ofPrices = false,
    ofMethods = false,
  }: { countries?: readonly Country[]; ofPrices?: boolean; ofMethods?: boolean } = {},
): Spoken {
  const next = {
    language: spoken.language,
    texts: checkoutTextsOf[spoken.language],
    countries: nameCountries(countries, spoken.language),
    addressForms: pickAddressForms(countries),
    ...(ofPrices && { prices: priceTextsOf[spoken.language] }),
    ...(ofMethods && textsWithMethods(spoken.language)),
  }
  speak(next)
  return next
}

/** Without a nonce and a script for a preview. */
export function renderCheckout(data: CheckoutPageData, assets: PageAssets, nonce = ''): string {
  const { delivery } = data.shop
  const priced = pricedPage(data)
  const countries = listAddressCountries(delivery)
  const ofMethods = data.shop.isMoreThanCards
  const spoken = speakFor(data, { countries, ofPrices: hasParts(priced), ofMethods })
  const chargeText = hasParts(priced)
    ? showPrice(priced, {}).total
    : showMoney(data.charge.amount, data.charge.currency)
  const { policies } = data.shop
  const policyUrl =
    policies.withdrawal && isPolicyUrl(policies.withdrawal) ? policies.withdrawal : null
  const withdrawal = { scope: policies.withdrawalFor, policyUrl }
  const pickupLines = delivery.pickup ? formatPlace(delivery.pickup) : []
  const { link, spoken: _switch, fewLeft: _fewLeft, isCodeInvalid: _notice, ...shown } = data
  const formData = {
    ...shown,
    shop: pickContact(data.shop),
    chargeText,
    withdrawal,
    delivery,
    pickupLines,
  }
  return renderDocument({
    title: fillText(pageTexts().titles.checkout, { product: data.product.name }),
    assets,
    html: renderToString(
      <>
        {/* Not in a preview, which has no script. */}
        {assets.script && <NoScriptNotice />}
        <CheckoutShell data={data}>
          <CheckoutPage data={formData} />
        </CheckoutShell>
      </>,
    ),
    data: { page: 'checkout', spoken, ...formData },
    link,
    preconnectOrigin: URL.parse(data.sdkUrl)?.origin,
    nonce,
  })
}

/** Policies and imprint may be long, and are in the page already. */
function pickContact({ name, email }: ShopFacts): ShopContactFacts {
  return { name, email }
}

export function renderThankYou(data: ThankYouPageData, assets: PageAssets): string {
  const spoken = speakFor(data)
  const shop = data.shop.name ?? data.order.product.name
  return renderDocument({
    title: fillText(pageTexts().titles.thankYou, { shop }),
    assets,
    html: renderToStaticMarkup(<ThankYouPage data={data} />),
    data: { page: 'thank-you', spoken, order: data.order, shop: pickContact(data.shop) },
  })
}

export function renderMissing(data: MissingPageData, assets: PageAssets): string {
  speakFor(data)
  return renderDocument({
    title: [pageTexts().missing[data.text], data.shop.name].filter(Boolean).join(' · '),
    assets: { ...assets, script: null },
    html: renderToStaticMarkup(<MissingPage {...data} />),
  })
}

export function renderNotForSale(data: NotForSalePageData, assets: PageAssets): string {
  speakFor(data)
  return renderDocument({
    title: fillText(pageTexts().titles[data.reason], { product: data.product.name }),
    assets: { ...assets, script: null },
    link: data.link,
    html: renderToStaticMarkup(<NotForSalePage {...data} />),
  })
}

/** The form to withdraw, on a page of its own. */
export function renderWithdrawal(data: WithdrawalPageData, assets: PageAssets): string {
  speakFor(data)
  return renderDocument({
    title: [pageTexts().withdrawal.here, data.shop.name].filter(Boolean).join(' · '),
    assets: { ...assets, script: null },
    html: renderToStaticMarkup(<WithdrawalPage {...data} />),
  })
}

/** Why a page cannot be shown right now. */
export function renderProblem(problem: ProblemPageData, assets: PageAssets): string {
  speakFor({ spoken: problem })
  const title = pageTexts().problem
  const text = translateRefusal(problem) ?? texts().refusals.unavailable
  return renderDocument({
    title,
    assets: { ...assets, script: null },
    html: renderToStaticMarkup(<MessagePage title={title} text={text} />),
  })
}

type Page = {
  title: string
  assets: PageAssets
  html: string
  data?: PageData
  /** What others show of the page. */
  link?: LinkCard | null
  preconnectOrigin?: string | undefined
  /** For the style tags that SumUp's widget adds. */
  nonce?: string
}

/** Without inline scripts and styles: the content security policy allows neither. */
function renderDocument({ html, data, nonce, ...page }: Page): string {
  const head = renderToStaticMarkup(<Head {...page} />)
  const productData = page.link?.isIndexed
    ? `<script type="application/ld+json">${writeProductData(page.link)}</script>`
    : ''
  const pageData = data
    ? `<script type="application/json" id="${pageDataId}">${serializePageData(data)}</script>`
    : ''
  const nonceElement = nonce ? `<template id="${nonceId}" nonce="${nonce}"></template>` : ''
  return `<!doctype html><html lang="${language()}"><head>${head}${productData}</head><body>${html}${pageData}${nonceElement}</body></html>`
}

type HeadProps = Pick<Page, 'title' | 'assets' | 'link' | 'preconnectOrigin'>

function Head({ title, assets, link, preconnectOrigin }: HeadProps) {
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      {!link?.isIndexed && <meta name="robots" content="noindex" />}
      <title>{title}</title>
      {link && <LinkTags link={link} />}
      {link?.iconUrl ? (
        <link rel="icon" type="image/png" href={link.iconUrl} />
      ) : (
        <link rel="icon" type="image/svg+xml" href={favicon} />
      )}
      <link rel="stylesheet" href={assets.stylesheet} />
      {preconnectOrigin && <link rel="preconnect" href={preconnectOrigin} />}
      {assets.script && <script type="module" src={assets.script} />}
    </>
  )
}
