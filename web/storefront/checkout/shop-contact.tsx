import type { ShopFacts } from '#contract/public-pages.ts'

/** How to reach the people behind the page. */
export function ShopContact({ shop }: { shop: ShopFacts }) {
  const name = shop.name ?? 'the shop'
  if (!shop.email) return <p>Questions? Please write to {name} where you found this link.</p>

  return (
    <p>
      Questions? Write to {name}:{' '}
      <a
        href={`mailto:${shop.email}`}
        className="font-medium text-accent underline underline-offset-2 wrap-anywhere"
      >
        <bdi>{shop.email}</bdi>
      </a>
    </p>
  )
}
