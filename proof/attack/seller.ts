import type { ReviewEntry } from '#contract/checkouts.ts'
import { dropTurningCharacters } from '#contract/hidden-characters.ts'
import { isPicture } from '#contract/pictures.ts'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import type { Product } from '#contract/products.ts'
import { eq } from '#server/db/drizzle.ts'
import { checkouts, orders, type OrderRow } from '#server/db/schema.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { listReview, sendWebhook, type SaleShop } from '#server/testing/sale.ts'

/** Sells what has a text in every field, each time to another address, so that limits do not end the attack. */
export async function openSeller(shop: SaleShop) {
  const { cookie } = await shop.signIn()
  let buyers = 0
  const address = () => `198.18.${buyers >> 8}.${buyers & 255}`
  const asAdmin = () => ({ cookie, 'x-forwarded-for': address() })

  async function createProduct(text: string, pictures: object) {
    const headerLogoUrl = 'https://example.com/logo.png'
    const choice = { name: cut(text, 60), values: [{ name: cut(text, 60) }] }
    const texts = { name: text, description: text, headerName: text, noteLabel: cut(text, 80) }
    const payload = { ...texts, price: '49.00', choice }
    const answer = await shop.app.inject({
      method: 'POST',
      url: apiRoutes.products,
      headers: asAdmin(),
      payload: { ...payload, headerLogoUrl, ...pictures },
    })
    return { answer }
  }

  /** With the text in the addresses of its pictures, unless it is too long for one. */
  async function addProduct(text: string): Promise<Product> {
    const named = `https://pictures.example/${text.trim()}`
    const imageUrl = isPicture(named) ? named : 'https://pictures.example/x.png'
    const first = await createProduct(text, { imageUrl, headerLogoUrl: text.trim() || imageUrl })
    const { answer } =
      first.answer.statusCode === 201
        ? first
        : await createProduct(text, { imageUrl: 'https://pictures.example/x.png' })
    if (answer.statusCode !== 201) throw new Error(`${JSON.stringify(text)}: ${answer.body}`)
    return answer.json()
  }

  async function getOrder(id: string): Promise<OrderRow> {
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, id))
    if (!order) throw new Error(`no order ${id}`)
    return order
  }

  return {
    address,
    asAdmin,
    createProduct,
    async sell(text: string) {
      buyers += 1
      const product = await addProduct(text)
      const buyer = createBuyer(shop, address())
      const { checkoutId } = (await buyer.open(product.id)).json()
      // In the address for mails too, where that is accepted.
      const choice = product.choice?.values[0]?.id
      const hostile = detailsWith(text, `${text.trim()}@example.com`)
      let saved = await buyer.saveDetails(checkoutId, { ...hostile, choice })
      if (saved.statusCode === 400)
        saved = await buyer.saveDetails(checkoutId, {
          ...detailsWith(text, emailOf(buyers)),
          choice,
        })
      if (saved.statusCode !== 204) throw new Error(`${JSON.stringify(text)}: ${saved.body}`)
      await payByCard(shop.sandbox, checkoutId)
      const made: { id: string } = (await buyer.order(checkoutId)).json()
      const thanks = await buyer.call('GET', thankYouPath(made.id))
      // The page for buying it, as a stranger sees it.
      const checkout = await shop.app.inject({ url: checkoutPath(product.id) })
      return {
        product,
        order: await getOrder(made.id),
        buyer,
        thanks: thanks.body,
        checkout: checkout.body,
      }
    },
    /** A payment without details, for which the admin types them. */
    async sellFromReview(text: string) {
      buyers += 1
      const buyer = createBuyer(shop, address())
      const { checkoutId } = (await buyer.open(shop.mug)).json()
      await payByCard(shop.sandbox, checkoutId)
      await sendWebhook(shop, checkoutId)
      const [row] = await shop.db
        .select({ id: checkouts.id })
        .from(checkouts)
        .where(eq(checkouts.sumupCheckoutId, checkoutId))
      const answer = await shop.app.inject({
        method: 'POST',
        url: pathOf(apiRoutes.reviewOrder, { id: row?.id ?? '' }),
        headers: asAdmin(),
        payload: {
          version: await readVersion(shop, row?.id ?? '', asAdmin()),
          details: detailsWith(text, emailOf(buyers)),
        },
      })
      if (answer.statusCode !== 201) throw new Error(`${JSON.stringify(text)}: ${answer.body}`)
      const { orderId }: { orderId: string } = answer.json()
      const page = await buyer.call('GET', thankYouPath(orderId))
      return { order: await getOrder(orderId), reviewed: page.body }
    },
  }
}

/** The version of an entry, as an admin's decision names it. */
export async function readVersion(
  { app }: SaleShop,
  id: string,
  headers: { cookie: string },
): Promise<string> {
  const lists = await Promise.all(
    ['', '?archive=true'].map((query) =>
      app.inject({ url: `${apiRoutes.review}${query}`, headers }),
    ),
  )
  const entries = lists.flatMap((list) => list.json<ReviewEntry[]>())
  return entries.find((entry) => entry.id === id)?.version ?? ''
}

/** How many texts in a row contain this one, or its beginning where only that fits. */
export function countTexts(value: unknown, text: string): number {
  if (typeof value === 'string') {
    const part = cut(text, 20).trim()
    // Names lose characters that turn text around.
    return [part, dropTurningCharacters(part)].some((one) => value.includes(one)) ? 1 : 0
  }
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + countTexts(part, text), 0)
}

const emailOf = (buyer: number) => `anna+${buyer}@example.com`

/** Everything that a buyer can type, in the lengths that are accepted. */
function detailsWith(text: string, customerEmail: string): object {
  const address = {
    country: 'Germany',
    firstName: text,
    lastName: text,
    address: text,
    apartment: text,
    city: text,
    state: text,
    postcode: cut(text, 20),
    phone: cut(text, 50),
  }
  return {
    ...delivery,
    customerEmail,
    customerName: text,
    customerPhone: cut(text, 50),
    note: text,
    shippingAddress: address,
    billingAddress: { ...address, country: 'France' },
  }
}

/** Without half a surrogate pair at its end, and never empty. */
function cut(text: string, length: number): string {
  return (
    text
      .trim()
      .slice(0, length)
      .replace(/[\uD800-\uDBFF]$/, '') || 'x'
  )
}

/** A payment without details, which waits for a decision. */
export async function openReview(shop: SaleShop): Promise<ReviewEntry> {
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  const [entry] = await listReview(shop)
  if (!entry) throw new Error('there is no payment in review')
  return entry
}
