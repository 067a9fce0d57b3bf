import type { Product } from '#contract/products.ts'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { nothingReturned } from '#contract/returned-money.ts'
import { createSession } from '#server/admin/sessions.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import type { OrderRow } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { composeMail } from '#server/mail/messages.ts'
import { composeAcknowledgement } from '#server/mail/withdrawal-messages.ts'
import { smtpTransport } from '#server/mail/transport.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { mailSettings } from '#server/testing/mails.ts'
import { openSaleShop, type SaleShop } from '#server/testing/sale.ts'
import { createFaults, type Findings } from './findings.ts'
import { countTexts, openReview, readVersion, openSeller } from './seller.ts'
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
  'texts that did not reach their fields',
] as const

export type TextShop = SaleShop & {
  sold: { productId: string; orderId: string; payload: string }[]
}

/** Otherwise there is no mail about its parcel. */
const sent = {
  status: 'shipped',
  shipment: { carrier: 'dhl', trackingNumber: '4711', trackingUrl: 'https://parcels.example/4711' },
} as const
/** The name of the shop comes from its environment, so one text has to do for all. */
const shopName = `"'></script></title><img src=x onerror=alert(1)>{{7*7}}`

type Outlines = { checkout: string; thanks: string; reviewed: string; mails: string[] }

export async function attackWithTexts(
  payloads: string[],
): Promise<{ findings: Findings; shop: TextShop }> {
  const web = await readWebFiles()
  const shop = await openSaleShop({ web, environment: { SHOP_NAME: shopName } })
  const seller = await openSeller(shop)
  const { asAdmin, address } = seller
  const harmlessSeller = await openSeller(
    await openSaleShop({ web, environment: { SHOP_NAME: 'x' } }),
  )
  const faults = createFaults(...kindsOfFaults)
  const mailServer = await openMailServer()
  const smtp = smtpTransport(mailServer.url)
  const harmless = new Map<string, Outlines>()
  const sold: TextShop['sold'] = []
  let fields = 0
  let screens = 0
  let lastEmail = ''
  const reviewed = await openReview(shop)

  /** As a real order of a shop without a name, and as a test order of one whose name is the text. */
  async function sendMails(order: OrderRow, text: string) {
    const received = []
    for (const isTest of [false, true])
      for (const kind of ['confirmation', 'new-sale', 'shipped']) {
        const settings = { ...mailSettings, shopName: isTest ? text.trim() : undefined }
        const shown = { ...order, ...nothingReturned, ...sent, isPaid: true, isTest }
        const message = composeMail({ id: order.id, kind }, shown, settings)
        if (!message) throw new Error(`no mail of kind ${kind}`)
        await smtp.send(message, { id: order.id, kind, createdAt: new Date() })
        const arrived = mailServer.received.pop()
        if (!arrived) throw new Error('the mail did not arrive')
        received.push(arrived)
      }
    return received
  }

  /** Outlines of pages and mails with a harmless text of the same lines, made once for each arrangement of lines. */
  async function outlineHarmless(payload: string): Promise<Outlines> {
    const twin = payload.trim().replaceAll(/[^\s]+/g, 'x')
    const known = harmless.get(twin)
    if (known) return known
    const { thanks, checkout, order } = await harmlessSeller.sell(twin)
    const mails = await sendMails(order, twin)
    const outlines = {
      checkout: outlineHtml(checkout),
      thanks: outlineHtml(thanks),
      reviewed: outlineHtml((await harmlessSeller.sellFromReview(twin)).reviewed),
      mails: mails.map(({ mail, raw, to }) => `${outlineMail(mail.html, raw)} to ${to.length}`),
    }
    harmless.set(twin, outlines)
    return outlines
  }

  async function attack(payload: string): Promise<void> {
    const name = JSON.stringify(payload)
    const expected = await outlineHarmless(payload)
    const { product, order, buyer, thanks, checkout } = await seller.sell(payload)
    const { reviewed, order: late } = await seller.sellFromReview(payload)
    lastEmail = order.customerEmail ?? ''
    sold.push({ productId: product.id, orderId: order.id, payload })
    const { product: _copy, ...ofBuyer } = order
    const reached = [product, ofBuyer, late].map((row) => countTexts(row, payload))
    fields += reached.reduce((sum, count) => sum + count, 0)
    // Name, description, header, label, choice and value; name, phone, note, and eight lines of each address; and of one.
    if (reached.some((count, at) => count < ([6, 19, 10][at] ?? 0)))
      faults['texts that did not reach their fields'].push(`${name}: ${reached.join(', ')}`)
    await probePictures(payload)
    await invite(payload)
    const pages = { checkout, thanks, reviewed }
    for (const page of ['checkout', 'thanks', 'reviewed'] as const) {
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
    const mails = await sendMails(order, payload)
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
    await checkWithdrawal(payload)
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
    const act = async (call: string, body: object) =>
      shop.app.inject({
        method: 'POST',
        url: pathOf(call, { id: reviewed.id }),
        headers: asAdmin(),
        payload: { version: await readVersion(shop, reviewed.id, asAdmin()), ...body },
      })
    const dismissed = await act(apiRoutes.reviewDismiss, { note: payload })
    if (dismissed.statusCode === 204) fields += 1
    await checkJson(`${apiRoutes.review}?archive=true`, payload)
    await act(apiRoutes.reviewRestore, {})
  }

  /** Letters alone are a name, and the note of an admin is any text. */
  async function checkWithdrawal(payload: string): Promise<void> {
    const url = apiRoutes.withdrawals
    const email = 'anna@example.com'
    const headers = { 'x-forwarded-for': address() }
    const post = (body: object) =>
      shop.app.inject({ method: 'POST', url, headers, payload: { email, ...body } })
    inspect(await post({ name: payload, orderNumber: payload }), url)
    const [row] = await shop.db
      .insert(withdrawals)
      .values({ name: payload.slice(0, 100), orderNumber: '1', email, note: payload })
      .returning()
    if (!row) throw new Error('no withdrawal was added')
    fields += 2
    const message = composeAcknowledgement({ id: row.id }, row, mailSettings)
    if (/[\u202A-\u202E\u2066-\u2069]|(?!\n)\p{Cc}/u.test(message?.text ?? ''))
      faults['headers of mails that a text changed'].push(`withdrawal: ${payload}`)
    for (const link of findBadLinks(String(message?.html)))
      faults['links that run'].push(`withdrawal: ${link}`)
    await checkJson(`${url}?unmatched=true`, row.name)
  }

  /** Past the checks of the form, which hash a password for each. */
  async function addAdmin(payload: string): Promise<void> {
    const email = `${sold.length}@example.com`
    const [user] = await shop.db.insert(users).values({ email }).returning({ id: users.id })
    const userId = user?.id ?? ''
    await shop.db
      .insert(credentials)
      .values({ userId, username: `${sold.length} ${payload}`, passwordHash: 'none' })
    await createSession(shop.db, userId, { address: '127.0.0.1', userAgent: payload })
    fields += 2
  }

  /** As the address of a picture any text is kept, but a page only links to pictures. */
  async function probePictures(payload: string): Promise<void> {
    for (const field of ['imageUrl', 'headerLogoUrl'] as const) {
      const { answer } = await seller.createProduct('Mug', { [field]: payload })
      if (answer.statusCode !== 201) continue
      fields += 1
      const { id }: Product = answer.json()
      const page = (await shop.app.inject({ url: checkoutPath(id) })).body
      for (const link of findBadLinks(page)) faults['links that run'].push(`${field}: ${link}`)
    }
  }

  async function invite(payload: string): Promise<void> {
    const answer = await shop.app.inject({
      method: 'POST',
      url: apiRoutes.invites,
      headers: asAdmin(),
      payload: { email: `${payload.trim()}@example.com` },
    })
    inspect(answer, apiRoutes.invites)
    if (answer.statusCode === 201) fields += 1
  }

  async function track(payload: string, productId: string): Promise<void> {
    if (!/^[\x20-\x7E]*$/.test(payload)) return
    const { statusCode } = await shop.app.inject({
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
    if (statusCode < 300) fields += 3
  }

  for (const payload of payloads) await attack(payload)
  smtp.close()

  for (const url of [
    apiRoutes.products,
    apiRoutes.orders,
    apiRoutes.orderMarks,
    apiRoutes.bulkChanges,
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
    payload: { email: lastEmail },
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

/** The elements of a mail, and the names of its headers. */
function outlineMail(html: string | undefined, raw: string): string {
  const [head = ''] = raw.split('\r\n\r\n')
  const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name)
  return `${names.join(' ')}\n${outlineHtml(html ?? '')}`
}
