import type { ReviewEntry } from '#contract/checkouts.ts'
import type { Product } from '#contract/products.ts'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { createSession } from '#server/admin/sessions.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders, type OrderRow } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { composeMail } from '#server/mail/messages.ts'
import { smtpTransport } from '#server/mail/transport.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { mailSettings } from '#server/testing/mails.ts'
import { listReview, openSaleShop, sendWebhook, type SaleShop } from '#server/testing/sale.ts'
import { createFaults, type Findings } from './findings.ts'
import { findBadCells, findBadLinks, outlineHtml, parseCsv, readPageData } from './read-output.ts'

/*
 * Hostile texts in every field that keeps text, and then every place that shows it. A page is compared with the page of a
 * harmless text of the same lines: a text may change no element and no attribute.
 */

export const kindsOfFaults = [
  'pages and mails whose elements a text changed',
  'links that run',
  'cells that are formulas',
  'headers of mails that a text changed',
  'answers that a browser might run',
  'texts that came back changed',
] as const

export type TextShop = SaleShop & {
  sold: { productId: string; orderId: string; payload: string }[]
}

export async function attackWithTexts(
  payloads: string[],
): Promise<{ findings: Findings; shop: TextShop }> {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const faults = createFaults(...kindsOfFaults)
  const mailServer = await openMailServer()
  const smtp = smtpTransport(mailServer.url)
  const harmless = new Map<string, Outlines>()
  const sold: TextShop['sold'] = []
  const { cookie } = await shop.signIn()
  let fields = 0
  let screens = 0
  let buyers = 0
  const reviewed = await openReview(shop)
  // From another address for each text, so that limits do not end the attack.
  const address = () => `198.18.${buyers >> 8}.${buyers & 255}`
  const asAdmin = () => ({ cookie, 'x-forwarded-for': address() })

  type Outlines = { checkout: string; thanks: string; mails: string[] }

  async function sell(text: string) {
    buyers += 1
    const product = await createProduct(text)
    const buyer = createBuyer(shop, address())
    const { checkoutId } = (await buyer.open(product.id)).json()
    const details = detailsWith(text, buyers)
    const saved = await buyer.saveDetails(checkoutId, details)
    if (saved.statusCode !== 204) throw new Error(`${JSON.stringify(text)}: ${saved.body}`)
    await payByCard(shop.sandbox, checkoutId)
    const made: { id: string } = (await buyer.order(checkoutId)).json()
    const thanks = await buyer.call('GET', thankYouPath(made.id))
    // The page for buying it, as a stranger sees it.
    const checkout = await shop.app.inject({ url: checkoutPath(product.id) })
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, made.id))
    if (!order) throw new Error(`no order with ${text}`)
    return { product, order, buyer, thanks: thanks.body, checkout: checkout.body }
  }

  async function createProduct(text: string): Promise<Product> {
    const payload = {
      name: text,
      description: text,
      headerName: text,
      price: '49.00',
      headerLogoUrl: 'https://example.com/logo.png',
    }
    const answer = await shop.app.inject({
      method: 'POST',
      url: apiRoutes.products,
      headers: asAdmin(),
      payload,
    })
    if (answer.statusCode !== 201) throw new Error(`${JSON.stringify(text)}: ${answer.body}`)
    return answer.json()
  }

  async function sendMails(order: OrderRow) {
    const sent = []
    for (const kind of ['confirmation', 'new-sale']) {
      const message = composeMail(
        { id: order.id, kind },
        { ...order, isTest: false },
        { ...mailSettings, shopName: undefined },
      )
      if (!message) throw new Error(`no mail of kind ${kind}`)
      await smtp.send(message, { id: order.id, kind, createdAt: new Date() })
      const received = mailServer.received.pop()
      if (!received) throw new Error('the mail did not arrive')
      sent.push(received)
    }
    return sent
  }

  /** Of a page or mail with a harmless text of the same lines, made once for each arrangement of lines. */
  async function outlineHarmless(payload: string): Promise<Outlines> {
    const twin = payload.trim().replaceAll(/[^\s]+/g, 'x')
    const known = harmless.get(twin)
    if (known) return known
    const { thanks, checkout, order } = await sell(twin)
    const mails = await sendMails(order)
    const outlines = {
      checkout: outlineHtml(checkout),
      thanks: outlineHtml(thanks),
      mails: mails.map(({ mail, raw, to }) => `${outlineMail(mail.html, raw)} to ${to.length}`),
    }
    harmless.set(twin, outlines)
    return outlines
  }

  async function attack(payload: string): Promise<void> {
    const name = JSON.stringify(payload)
    const expected = await outlineHarmless(payload)
    const { product, order, buyer, thanks, checkout } = await sell(payload)
    sold.push({ productId: product.id, orderId: order.id, payload })
    fields += 3 + 18
    const pages = { checkout, thanks }
    for (const page of ['checkout', 'thanks'] as const) {
      screens += 1
      if (outlineHtml(pages[page]) !== expected[page])
        faults['pages and mails whose elements a text changed'].push(`${page}: ${name}`)
      for (const link of findBadLinks(pages[page]))
        faults['links that run'].push(`${page}: ${link}`)
      if (
        !JSON.stringify(readPageData(pages[page])).includes(
          JSON.stringify(payload.trim()).slice(1, -1),
        )
      )
        faults['texts that came back changed'].push(`${page}: ${name}`)
    }
    const mails = await sendMails(order)
    for (const [at, { mail, raw, to }] of mails.entries()) {
      screens += 2
      const outline = `${outlineMail(mail.html, raw)} to ${to.length}`
      if (outline !== expected.mails[at])
        faults['pages and mails whose elements a text changed'].push(`mail: ${name}`)
      for (const link of findBadLinks(mail.html ?? ''))
        faults['links that run'].push(`mail: ${link}`)
      const isOdd = /[\u202A-\u202E\u2066-\u2069]|(?!\n)\p{Cc}/u
      const texts = [
        mail.text,
        mail.subject,
        mail.from?.name,
        mail.to?.[0]?.name,
        mail.replyTo?.[0]?.name,
      ]
      if (texts.some((text) => isOdd.test(text ?? '')) || mail.attachments.length > 0)
        faults['headers of mails that a text changed'].push(`${name}: ${mail.subject}`)
    }
    await checkJson(pathOf(apiRoutes.product, { id: product.id }), payload)
    const own = await buyer.call('GET', pathOf(apiRoutes.order, { id: order.id }))
    inspect(own, 'the order', payload)
    await checkReviewNote(payload)
    await addAdmin(payload)
    await track(payload, product.id)
  }

  function inspect(
    answer: { body: string; headers: Record<string, unknown> },
    name: string,
    payload?: string,
  ) {
    screens += 1
    const type = String(answer.headers['content-type'])
    const isInert = /^(application\/json|text\/csv)/.test(type)
    if (!isInert || answer.headers['x-content-type-options'] !== 'nosniff')
      faults['answers that a browser might run'].push(`${name}: ${type}`)
    if (payload === undefined) return
    // As the schemas keep it.
    if (!answer.body.includes(JSON.stringify(payload.trim()).slice(1, -1)))
      faults['texts that came back changed'].push(`${name}: ${JSON.stringify(payload)}`)
  }

  async function checkJson(url: string, payload?: string): Promise<void> {
    inspect(await shop.app.inject({ url, headers: asAdmin() }), url, payload)
  }

  /** One entry, dismissed with a note and restored again and again. */
  async function checkReviewNote(payload: string): Promise<void> {
    const act = (call: string, body: object) =>
      shop.app.inject({
        method: 'POST',
        url: pathOf(call, { id: reviewed.id }),
        headers: asAdmin(),
        payload: body,
      })
    fields += 1
    await act(apiRoutes.reviewDismiss, { note: payload })
    await checkJson(`${apiRoutes.review}?archive=true`, payload)
    await act(apiRoutes.reviewRestore, {})
  }

  /** Past the checks of the form, which hash a password for each. */
  async function addAdmin(payload: string): Promise<void> {
    fields += 2
    const email = `${buyers}@example.com`
    const [user] = await shop.db.insert(users).values({ email }).returning({ id: users.id })
    const userId = user?.id ?? ''
    await shop.db
      .insert(credentials)
      .values({ userId, username: `${buyers} ${payload}`, passwordHash: 'none' })
    await createSession(shop.db, userId, { address: '127.0.0.1', userAgent: payload })
  }

  async function track(payload: string, productId: string): Promise<void> {
    if (!/^[\x20-\x7E]*$/.test(payload)) return
    fields += 3
    await shop.app.inject({
      method: 'POST',
      url: apiRoutes.track,
      headers: {
        'user-agent': payload,
        'x-visitor-from': payload,
        referer: payload,
        'x-forwarded-for': address(),
      },
      payload: { eventType: 'checkout_view', productId },
    })
  }

  for (const payload of payloads) await attack(payload)
  smtp.close()

  for (const url of [
    apiRoutes.products,
    apiRoutes.orders,
    apiRoutes.orderMarks,
    apiRoutes.admins,
    apiRoutes.adminSessions,
    apiRoutes.auditLog,
    apiRoutes.analyticsEvents,
    apiRoutes.analyticsSummary,
    apiRoutes.orderCounts,
    apiRoutes.notices,
  ])
    await checkJson(url)
  const exported = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.customerExport,
    headers: asAdmin(),
    payload: { email: emailOf(buyers) },
  })
  inspect(exported, apiRoutes.customerExport)

  const csv = await shop.app.inject({ url: apiRoutes.orderExport, headers: asAdmin() })
  inspect(csv, apiRoutes.orderExport)
  if (!String(csv.headers['content-disposition']).startsWith('attachment'))
    faults['answers that a browser might run'].push('the CSV is not a download')
  const rows = parseCsv(csv.body)
  const cells = rows.reduce((sum, row) => sum + row.length, 0)
  faults['cells that are formulas'].push(...findBadCells(rows))

  return {
    findings: {
      figures: [
        `${payloads.length} texts in ${fields} fields, shown on ${screens} pages, mails and answers and in ${cells} cells of CSV`,
      ],
      faults,
    },
    shop: { ...shop, sold },
  }
}

const emailOf = (buyer: number) => `anna+${buyer}@example.com`

/** Everything that a buyer can type, in the lengths that are accepted. */
function detailsWith(text: string, buyer: number): object {
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
    customerEmail: emailOf(buyer),
    customerName: text,
    customerPhone: cut(text, 50),
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

/** The elements of a mail, and the names of its headers. */
function outlineMail(html: string | undefined, raw: string): string {
  const [head = ''] = raw.split('\r\n\r\n')
  const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name)
  return `${names.join(' ')}\n${outlineHtml(html ?? '')}`
}

/** A payment without details, which waits for a decision. */
async function openReview(shop: SaleShop): Promise<ReviewEntry> {
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  const [entry] = await listReview(shop)
  if (!entry) throw new Error('there is no payment in review')
  return entry
}
