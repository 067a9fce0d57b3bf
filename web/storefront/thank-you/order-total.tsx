import { fillText } from '#contract/languages.ts'
import { includedVat } from '#contract/money.ts'
import type { PublicOrder } from '#contract/orders.ts'
import { goodsPrice, listPriceLines } from '#contract/price-lines.ts'
import { priceTextsOf } from '#contract/texts/all.ts'
import { listReturned } from '#contract/returned-money.ts'
import { language, texts as spoken } from '#web/storefront/shell/language.ts'
import { showMoney } from '#web/storefront/shell/money.ts'
import { pageTexts, showNumber } from '#web/storefront/shell/page-texts.ts'
import { ProductLine } from '#web/storefront/shell/product-line.tsx'

/** What was bought and paid, and what went back of it. */
export function OrderTotal({ order }: { order: PublicOrder }) {
  const show = (amount: string) => showMoney(amount, order.currency)
  const { checkout: texts, thankYou, returned } = pageTexts()
  const back = listReturned(order, returned.labels)
  const lines = listPriceLines(order, { ...texts, ...priceTextsOf[language()] }, show)

  return (
    <div className="px-5 py-7 sm:px-10">
      <ProductLine product={order.product} price={<bdi>{show(goodsPrice(order))}</bdi>}>
        {order.product.choice && (
          <p className="mt-0.5 text-sm font-medium">
            {fillText(spoken().choice.chosen, order.product.choice)}
          </p>
        )}
        <p className="mt-0.5 text-sm text-soft">
          {fillText(texts.quantity, { count: String(order.quantity) })}
        </p>
      </ProductLine>
      <dl className="mt-5 space-y-2 text-[0.9375rem]">
        {lines.map(({ label, value }) => (
          <div key={label} className="flex justify-between gap-4">
            <dt className="text-soft">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="flex items-baseline justify-between gap-4">
          <dt className="font-semibold">{texts.total}</dt>
          <dd className="text-xl font-semibold tracking-tight">
            <span className="me-2 text-sm font-normal tracking-normal text-muted">
              {order.currency}
            </span>
            <bdi>{show(order.amount)}</bdi>
          </dd>
        </div>
        {order.product.vatRate && (
          <div className="flex justify-between gap-4 text-sm text-muted">
            <dt>{fillText(thankYou.vat, { rate: showNumber(order.product.vatRate) })}</dt>
            <dd>
              <bdi>{show(includedVat(order.amount, order.product.vatRate))}</bdi>
            </dd>
          </div>
        )}
        {back.map((line) => (
          <div key={line.label} className="flex justify-between gap-4 font-medium">
            <dt>{line.label}</dt>
            <dd>
              <bdi>{show(line.amount)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
