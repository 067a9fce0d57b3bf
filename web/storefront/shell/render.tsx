import { renderToStaticMarkup, renderToString } from 'react-dom/server'

import type { LinkCard } from '#contract/link-cards.ts'
import { formatMoney } from '#contract/money.ts'
import {
  isPolicyUrl,
  type CheckoutPageData,
  type MissingPageData,
  type PageAssets,
  type PausedPageData,
  type ShopContactFacts,
  type ShopFacts,
  type ThankYouPageData,
  type WithdrawalPageData,
} from '#contract/public-pages.ts'
import { withdrawLabel } from '#contract/withdrawals.ts'
import { CheckoutPage } from '#web/storefront/checkout/checkout-page.tsx'
import { ThankYouPage } from '#web/storefront/thank-you/thank-you-page.tsx'
import favicon from '#web/ui/favicon.svg'

import { CheckoutShell, NoScriptNotice } from './checkout-shell.tsx'
import { LinkTags, writeProductData } from './link-tags.tsx'
import { MessagePage, MissingPage, PausedPage } from './missing-page.tsx'
import { WithdrawalPage } from './withdrawal-page.tsx'
import { nonceId, type PageData, pageDataId, serializePageData } from './page-data.ts'

/** Without a nonce and a script for a preview. */
export function renderCheckout(data: CheckoutPageData, assets: PageAssets, nonce = ''): string {
  const chargeText = formatMoney(data.charge.amount, data.charge.currency)
  const { policies } = data.shop
  const policyUrl =
    policies.withdrawal && isPolicyUrl(policies.withdrawal) ? policies.withdrawal : null
  const withdrawal = { scope: policies.withdrawalFor, policyUrl }
  const { link, ...shown } = data
  const formData = { ...shown, shop: pickContact(data.shop), chargeText, withdrawal }
  return renderDocument({
    title: `${data.product.name} · Checkout`,
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
    data: { page: 'checkout', ...formData },
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
  return renderDocument({
    title: `Thank you! · ${data.shop.name ?? data.order.product.name}`,
    assets,
    html: renderToStaticMarkup(<ThankYouPage data={data} />),
    data: { page: 'thank-you', order: data.order, shop: pickContact(data.shop) },
  })
}

export function renderMissing(data: MissingPageData, assets: PageAssets): string {
  return renderDocument({
    title: [data.text, data.shop.name].filter(Boolean).join(' · '),
    assets: { ...assets, script: null },
    html: renderToStaticMarkup(<MissingPage {...data} />),
  })
}

export function renderPaused(data: PausedPageData, assets: PageAssets): string {
  return renderDocument({
    title: `${data.product.name} · Paused`,
    assets: { ...assets, script: null },
    link: data.link,
    html: renderToStaticMarkup(<PausedPage {...data} />),
  })
}

/** The form to withdraw, on a page of its own. */
export function renderWithdrawal(data: WithdrawalPageData, assets: PageAssets): string {
  return renderDocument({
    title: [withdrawLabel, data.shop.name].filter(Boolean).join(' · '),
    assets: { ...assets, script: null },
    html: renderToStaticMarkup(<WithdrawalPage {...data} />),
  })
}

/** Why a page cannot be shown right now. */
export function renderProblem({ text }: { text: string }, assets: PageAssets): string {
  const title = 'This page is not available right now'
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
  return `<!doctype html><html lang="en"><head>${head}${productData}</head><body>${html}${pageData}${nonceElement}</body></html>`
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
