import type { z } from 'zod'
import type { ReviewEntry } from '#contract/checkouts.ts'
import { dropTurningCharacters } from '#contract/hidden-characters.ts'
import { maxOpeningLength } from '#contract/mails.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { Product } from '#contract/products.ts'
import {
  secretFields,
  settingsSchemas,
  settingsSections,
  type SettingsSection,
} from '#contract/shop-settings.ts'
import { createSession } from '#server/admin/sessions.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import { eq } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { checkouts, orders, type OrderRow } from '#server/db/schema.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { listReview, sendWebhook, type SaleShop } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

/**
 * Every field that keeps text. A text is stored in all of them, each time from other addresses, so that limits do not end
 * the attack.
 */

/** By the name of a form: which of its attempts the shop accepted. A harmless text takes the same one. */
export type Accepted = Map<string, number>

export type Stored = Awaited<ReturnType<Awaited<ReturnType<typeof openFields>>['store']>>

export async function openFields(shop: SaleShop) {
  const { app, db, sandbox } = shop
  const { cookie } = await shop.signIn()
  let visits = 0
  const address = () => `198.18.${visits >> 8}.${visits & 255}`
  const arrive = () => {
    visits += 1
    return createBuyer(shop, address())
  }
  const asAdmin = () => ({ cookie, 'x-forwarded-for': address() })
  const call = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    app.inject({ method, url, headers: asAdmin(), ...(payload && { payload }) })
  type Answer = Awaited<ReturnType<typeof call>>
  /** Payments that wait for a decision; each is dismissed with a note and restored again and again. */
  const reviewed = await openReview(shop)
  let version = 0

  /** The first attempt that the shop accepts. */
  async function attempt(
    form: string,
    accepted: Accepted,
    attempts: (() => Promise<Answer>)[],
  ): Promise<Answer | undefined> {
    for (const [at, send] of attempts.entries()) {
      if ((accepted.get(form) ?? at) !== at) continue
      const answer = await send()
      if (answer.statusCode >= 500) throw new Error(`${form}: ${answer.body}`)
      if (answer.statusCode >= 400) continue
      accepted.set(form, at)
      return answer
    }
    return undefined
  }

  async function saveSettings(text: string, accepted: Accepted): Promise<void> {
    const save = async (section: SettingsSection, ...attempts: object[]) => {
      const url = pathOf(apiRoutes.settingsSection, { section })
      const sent = attempts.map((values) => () => {
        const payload = { version, values, password: testAdmin.password }
        return call('PUT', url, payload)
      })
      if (await attempt(section, accepted, sent)) version += 1
    }
    for (const section of settingsSections) {
      const filled = fillSection(section, text, accepted)
      if (Object.keys(filled).length > 0) await save(section, filled)
    }
    const line = text.slice(0, 200)
    const place = { name: text.slice(0, 120), address: line, city: line, state: line }
    const pickup = { ...place, postcode: '10115', country: 'Germany', hours: text.slice(0, 300) }
    const to = { countries: ['Germany', 'France'], prices: [], pickup: null }
    await save('delivery', { ...to, pickup }, to)
  }

  /** Its pictures are the same for all texts: see storeAsPicture. */
  async function addProduct(text: string, accepted: Accepted): Promise<Product> {
    const choice = { name: cut(text, 60), values: [{ name: cut(text, 60) }] }
    const texts = { name: text, description: text, headerName: text, noteLabel: cut(text, 80) }
    const usual = 'https://pictures.example/x.png'
    const payload = { ...texts, price: '49.00', choice }
    const shown = { ...payload, imageUrl: usual, headerLogoUrl: usual }
    const answer = await attempt('product', accepted, [
      () => call('POST', apiRoutes.products, shown),
    ])
    if (!answer) throw new Error(`no product has the text ${JSON.stringify(text)}`)
    return answer.json()
  }

  async function getOrder(id: string): Promise<OrderRow> {
    const [order] = await db.select().from(orders).where(eq(orders.id, id))
    if (!order) throw new Error(`no order ${id}`)
    return order
  }

  async function buy(product: Product, text: string, accepted: Accepted) {
    const buyer = arrive()
    const { checkoutId } = (await buyer.open(product.id)).json()
    const choice = product.choice?.values[0]?.id
    const emails = [`${text}@example.com`, `anna+${visits}@example.com`]
    const saved = await attempt(
      'details',
      accepted,
      emails.map(
        (email) => () => buyer.saveDetails(checkoutId, { ...detailsWith(text, email), choice }),
      ),
    )
    if (!saved) throw new Error(`no buyer has the text ${JSON.stringify(text)}`)
    await payByCard(sandbox, checkoutId)
    const { id }: { id: string } = (await buyer.order(checkoutId)).json()
    return { buyer, order: await getOrder(id) }
  }

  /** A payment without details, for which the admin types them. */
  async function sellFromReview(text: string) {
    const buyer = arrive()
    const entry = await openReview(shop, buyer)
    const details = detailsWith(text, `anna+${visits}@example.com`)
    const url = pathOf(apiRoutes.reviewOrder, { id: entry.id })
    const answer = await call('POST', url, { version: entry.version, details })
    if (answer.statusCode !== 201) throw new Error(`${JSON.stringify(text)}: ${answer.body}`)
    const { orderId }: { orderId: string } = answer.json()
    return { buyer, order: await getOrder(orderId) }
  }

  /** Letters alone are a name, and the note of an admin is any text. */
  async function addWithdrawal(text: string) {
    const [row] = await db
      .insert(withdrawals)
      .values({ name: text.slice(0, 100), orderNumber: '1', email: 'anna@example.com', note: text })
      .returning()
    if (!row) throw new Error('no withdrawal was added')
    return row
  }

  /** Past the checks of the form, which hash a password for each. */
  async function addAdmin(text: string): Promise<void> {
    const email = `${visits}@example.com`
    const [user] = await db.insert(users).values({ email }).returning({ id: users.id })
    const userId = user?.id ?? ''
    await db
      .insert(credentials)
      .values({ userId, username: `${visits} ${text}`, passwordHash: 'none' })
    await createSession(db, userId, { address: '127.0.0.1', userAgent: text })
  }

  async function track(text: string, productId: string): Promise<void> {
    // Headers hold no other characters.
    if (!/^[\x20-\x7E]*$/.test(text)) return
    const headers = { 'user-agent': text, 'x-visitor-from': text, referer: text }
    await app.inject({
      method: 'POST',
      url: apiRoutes.track,
      headers: { ...headers, 'x-forwarded-for': address() },
      payload: { eventType: 'checkout_view', productId },
    })
  }

  /** Until it is restored the note stands in the archive. */
  async function decide(route: string, body: object): Promise<void> {
    const url = pathOf(route, { id: reviewed.id })
    const answer = await call('POST', url, { version: await readVersion(reviewed.id), ...body })
    if (answer.statusCode !== 204) throw new Error(`${route}: ${answer.body}`)
  }

  async function readVersion(id: string): Promise<string> {
    const lists = await Promise.all(
      ['', '?archive=true'].map((query) => call('GET', `${apiRoutes.review}${query}`)),
    )
    const entries = lists.flatMap((list) => list.json<ReviewEntry[]>())
    return entries.find((entry) => entry.id === id)?.version ?? ''
  }

  return {
    call,
    /** As the whole address of a picture any text is kept, but a page only links to pictures. */
    async storeAsPicture(text: string, field: 'imageUrl' | 'headerLogoUrl') {
      const headerLogoUrl = 'https://pictures.example/x.png'
      const payload = { name: 'Mug', price: '49.00', headerLogoUrl, [field]: text }
      const answer = await call('POST', apiRoutes.products, payload)
      return answer.statusCode === 201 ? answer.json<Product>() : undefined
    },
    async store(text: string, accepted: Accepted) {
      await saveSettings(text, accepted)
      const product = await addProduct(text, accepted)
      const sold = await buy(product, text, accepted)
      const late = await sellFromReview(text)
      await addAdmin(text)
      await track(text, product.id)
      const withdrawal = await addWithdrawal(text)
      const email = `${text}@example.com`
      const invited = await call('POST', apiRoutes.invites, { email, password: testAdmin.password })
      const statement = { name: text, orderNumber: text, email: 'anna@example.com' }
      const stated = await call('POST', apiRoutes.withdrawals, statement)
      await decide(apiRoutes.reviewDismiss, { note: text })
      return {
        product,
        ...sold,
        late,
        withdrawal,
        answers: { [apiRoutes.invites]: invited, [apiRoutes.withdrawals]: stated },
        restore: () => decide(apiRoutes.reviewRestore, {}),
      }
    },
  }
}

/** The text in each field of a section that takes any text, as long as it may be there; null where none of it may. */
function fillSection(section: SettingsSection, text: string, accepted: Accepted): object {
  const fields: Record<string, z.ZodType> = settingsSchemas[section].shape
  const secrets: string[] = Object.values(secretFields)
  const names = Object.keys(fields).filter((name) => !secrets.includes(name))
  return Object.fromEntries(
    names.flatMap((name) => {
      const takes = (value: unknown) => fields[name]?.safeParse(value).success === true
      if (!inForms('A text, & more').some(takes)) return []
      const values = [...inForms(text), null]
      const field = `${section}.${name}`
      const at = accepted.get(field) ?? values.findIndex(takes)
      accepted.set(field, at)
      return [[name, values[at] ?? null]]
    }),
  )
}

/** In the lengths that fields take, and as the name of a sender. */
function inForms(text: string): string[] {
  const cuts = [20_000, 500, maxOpeningLength, 200, 30].map((length) => cut(text, length))
  return [...cuts, `${cut(text, 200)} <shop@example.com>`]
}

/** Counts the texts in a row that contain this text, or its beginning where only that fits. */
export function countTexts(value: unknown, text: string): number {
  if (typeof value === 'string') {
    const part = cut(text, 20).trim()
    // Names lose characters that turn text around, and notes have the line ends of forms.
    const kept = [part, dropTurningCharacters(part), part.replaceAll('\r\n', '\n')]
    return kept.some((one) => value.includes(one)) ? 1 : 0
  }
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + countTexts(part, text), 0)
}

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
async function openReview(shop: SaleShop, buyer = createBuyer(shop)): Promise<ReviewEntry> {
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  const ofForm = eq(checkouts.sumupCheckoutId, checkoutId)
  const [sale] = await shop.db.select({ id: checkouts.id }).from(checkouts).where(ofForm)
  const entry = (await listReview(shop)).find(({ id }) => id === sale?.id)
  if (!entry) throw new Error('there is no payment in review')
  return entry
}
