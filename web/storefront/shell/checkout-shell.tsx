import type { ReactNode } from 'react'

import { fillText } from '#contract/languages.ts'
import { thankYouPath } from '#contract/paths.ts'
import type { CheckoutPageData, RecentOrder } from '#contract/public-pages.ts'

import { Icon } from './icon.tsx'
import { chosenLineId, pageRootId, toastsId } from './page-data.ts'
import { priceTexts } from './language.ts'
import { showMoney } from './money.ts'
import { pageTexts } from './page-texts.ts'
import { hasParts, pricedPage, quoteGoods, showPrice } from './price.ts'
import { ProductLine } from './product-line.tsx'
import { ShopFooter } from './shop-footer.tsx'
import { ShopHeader } from './shop-header.tsx'

type CheckoutShellProps = { data: CheckoutPageData; children: ReactNode }

/** The static part of the checkout page: rendered on the server, never loaded as script. */
export function CheckoutShell({ data, children }: CheckoutShellProps) {
  const { product, shop, mode, recentOrder, discount, spoken } = data
  const isCodeInvalid = data.isCodeInvalid || (discount && quoteGoods(data).terms.code === null)

  return (
    <div className="min-h-dvh bg-card md:grid md:grid-cols-[minmax(1.5rem,1fr)_minmax(0,35rem)_minmax(18rem,26rem)_minmax(0,1fr)] md:grid-rows-[auto_1fr_auto]">
      <header className="flex items-center justify-between gap-4 px-5 py-4 md:col-start-2 md:ps-0 md:pe-8 md:pt-10 md:pb-8 lg:pe-12">
        <h1 className="min-w-0">
          <ShopHeader product={product} fallback={pageTexts().checkout.title} />
        </h1>
        {mode === 'test' && (
          <p className="shrink-0 rounded-full border border-warning-line bg-warning-wash px-3 py-1 text-[0.8125rem] font-medium text-warning">
            {pageTexts().checkout.testMode}
          </p>
        )}
      </header>
      <OrderSummary data={data} />
      <main className="px-5 pt-8 pb-12 md:col-start-2 md:row-start-2 md:ps-0 md:pe-8 md:pt-0 lg:pe-12">
        {isCodeInvalid && <CodeNotice />}
        {recentOrder && <RecentOrderNotice order={recentOrder} isTest={mode === 'test'} />}
        <div id={pageRootId}>{children}</div>
      </main>
      <div className="px-5 md:col-start-2 md:ps-0 md:pe-8 lg:pe-12">
        <ShopFooter shop={shop} spoken={spoken} />
      </div>
      <div id={toastsId} />
    </div>
  )
}

export function NoScriptNotice() {
  return (
    <noscript>
      <p className="border-b border-warning-line bg-warning-wash px-5 py-3 text-center text-[0.9375rem]/6">
        {pageTexts().checkout.needsScript}
      </p>
    </noscript>
  )
}

/** Buying again is allowed, but not by mistake, because the first payment seemed to have failed. */
function RecentOrderNotice({ order, isTest }: { order: RecentOrder; isTest: boolean }) {
  const { id, minutesAgo, money } = order
  const { recent, returned } = pageTexts()
  const isPaid = money === 'paid'
  const sentences = [
    money !== 'paid' && money !== 'unpaid' && `${returned.titles[money]}.`,
    isTest ? recent.isTest : isPaid && recent.isPaid,
  ]
  return (
    <aside
      aria-label={recent.label}
      className={`mb-8 flex items-start gap-3 rounded-xl border border-line px-4 py-3.5 text-[0.9375rem]/6 ${isPaid ? 'bg-completed-wash' : ''}`}
    >
      {isPaid && <Icon name="check" className="mt-0.5 size-5 shrink-0 text-completed" />}
      <p>
        <strong className="font-semibold">{formatMinutesAgo(minutesAgo)}</strong>{' '}
        {sentences.filter(Boolean).join(' ')}{' '}
        <a
          href={thankYouPath(id)}
          className="font-medium text-accent underline underline-offset-2 pointer-coarse:inline-block pointer-coarse:py-2.5"
        >
          {recent.see}
        </a>
      </p>
    </aside>
  )
}

/** The price is shown without the code of the link. */
function CodeNotice() {
  return (
    <p className="mb-8 flex items-start gap-3 rounded-xl border border-warning-line bg-warning-wash px-4 py-3.5 text-[0.9375rem]/6">
      <Icon name="alert" className="mt-0.5 size-5 shrink-0 text-warning" />
      {pageTexts().checkout.codeNotValid}
    </p>
  )
}

function formatMinutesAgo(minutes: number): string {
  const { justNow, oneMinute, minutes: several } = pageTexts().recent
  if (minutes < 1) return justNow
  return minutes === 1 ? oneMinute : fillText(several, { minutes: String(minutes) })
}

/**
 * A column beside the form; on a phone the product, and below it a bar that stays on the screen. Subtotal and total are in
 * the currency that is charged, which may not be the one the product is priced in.
 */
function OrderSummary({ data }: { data: CheckoutPageData }) {
  const { product, charge, fewLeft, choice } = data
  const texts = pageTexts().checkout
  const price = showMoney(charge.amount, charge.currency)
  // Only what has parts changes with the country: updateSummary finds it by its name.
  const priced = pricedPage(data)
  const live = hasParts(priced) ? showPrice(priced, {}) : undefined
  const isOtherCurrency = product.currency !== charge.currency

  return (
    // Without boxes of their own on a phone, where the bar stays for as long as the page is scrolled.
    <aside
      aria-label={texts.summary}
      className="contents bg-well md:col-start-3 md:col-end-5 md:row-start-1 md:row-end-4 md:block md:border-s md:border-line"
    >
      <div className="contents md:sticky md:top-0 md:block md:max-w-[26rem] md:py-12 md:ps-8 md:pe-6 lg:ps-12">
        <div className="border-t border-line bg-well px-5 pt-4 pb-2 md:border-t-0 md:p-0">
          <ProductLine
            product={product}
            values={choice?.values}
            price={
              <>
                <bdi>{showMoney(product.price, product.currency)}</bdi>
                {isOtherCurrency && (
                  <span className="block text-sm font-normal text-soft">{product.currency}</span>
                )}
              </>
            }
          >
            {product.description && (
              <p className="mt-0.5 line-clamp-2 text-sm/5 whitespace-pre-line text-soft md:line-clamp-4">
                {product.description}
              </p>
            )}
            {choice && <p id={chosenLineId} hidden className="mt-1 text-sm font-medium" />}
            <p className="mt-1 text-sm text-soft">{fillText(texts.quantity, { count: '1' })}</p>
            {fewLeft !== undefined && (
              <p className="mt-1 text-sm font-medium text-warning">
                {fillText(texts.fewLeft, { count: String(fewLeft) })}
              </p>
            )}
          </ProductLine>
        </div>
        <div className="sticky top-0 z-10 border-b border-line bg-well noscript:static md:static md:border-b-0">
          <SummaryToggle>
            <Total
              price={price}
              live={live?.total}
              className="ms-auto text-lg font-semibold text-ink"
            />
          </SummaryToggle>
          <dl
            id="order-summary"
            className="space-y-2.5 px-5 pt-2 pb-6 text-[0.9375rem] peer-aria-[expanded=false]:hidden md:mt-6 md:block! md:border-t md:border-line md:px-0 md:pt-5 md:pb-0 noscript:block!"
          >
            <SummaryLine label={texts.subtotal}>
              <bdi>{price}</bdi>
            </SummaryLine>
            {live && <DiscountLine data={data} />}
            <SummaryLine label={texts.shipping} name={live && 'shipping'}>
              {live?.shipping ?? texts.free}
            </SummaryLine>
            <div className="flex items-baseline justify-between gap-4 border-t border-line pt-4">
              <dt className="text-lg font-semibold tracking-tight">{texts.total}</dt>
              <dd className="text-2xl font-semibold tracking-tight">
                <span className="me-2 text-sm font-normal tracking-normal text-muted">
                  {charge.currency}
                </span>
                <Total price={price} live={live?.total} />
              </dd>
            </div>
          </dl>
        </div>
      </div>
    </aside>
  )
}

/** Opens and closes the amounts on a phone. */
function SummaryToggle({ children }: { children: ReactNode }) {
  const { showSummary, hideSummary } = pageTexts().checkout
  return (
    <button
      type="button"
      aria-expanded="false"
      aria-controls="order-summary"
      className="group peer flex min-h-14 w-full items-center gap-2 px-5 text-accent md:hidden noscript:hidden"
    >
      <Icon name="bag" className="size-4.5" />
      <span data-other-label={hideSummary} className="text-[0.9375rem] font-medium">
        {showSummary}
      </span>
      <Icon name="down" className="size-4 group-aria-expanded:rotate-180" />
      {children}
    </button>
  )
}

type TotalProps = { price: string; live: string | undefined; className?: string }

function Total({ price, live, className }: TotalProps) {
  return (
    <bdi data-price={live && 'total'} className={className}>
      {live ?? price}
    </bdi>
  )
}

/** It stays as it is, wherever it goes. */
function DiscountLine({ data }: { data: CheckoutPageData }) {
  const { code, discount } = quoteGoods(data).terms
  if (code === null) return null
  return (
    <SummaryLine label={fillText(priceTexts().discount, { code })}>
      <bdi>{`−${showMoney(discount, data.charge.currency)}`}</bdi>
    </SummaryLine>
  )
}

type SummaryLineProps = { label: string; name?: string | undefined; children: ReactNode }

function SummaryLine({ label, name, children }: SummaryLineProps) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-soft">{label}</dt>
      <dd data-price={name}>{children}</dd>
    </div>
  )
}
