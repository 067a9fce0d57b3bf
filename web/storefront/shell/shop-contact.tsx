import { fillText } from '#contract/languages.ts'
import type { ShopContactFacts } from '#contract/public-pages.ts'

import { fillNodes } from './fill-nodes.tsx'
import { texts } from './language.ts'

/** How to reach the shop. One that has named no address is reached as the buyer met it, which only they know. */
export function ShopContact({ shop }: { shop: ShopContactFacts }) {
  const { theShop, questions, questionsElsewhere } = texts().shop
  const name = shop.name ?? theShop
  if (!shop.email) return <p>{fillText(questionsElsewhere, { shop: name })}</p>

  return (
    <p>
      {fillNodes(questions, {
        shop: name,
        email: (
          <a
            href={`mailto:${shop.email}`}
            className="font-medium text-accent underline underline-offset-2 wrap-anywhere"
          >
            <bdi>{shop.email}</bdi>
          </a>
        ),
      })}
    </p>
  )
}
