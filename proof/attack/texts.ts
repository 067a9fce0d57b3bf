import { dropTurningCharacters } from '#contract/hidden-characters.ts'
import { buyerMailKinds, maxOpeningLength } from '#contract/mails.ts'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { isPolicyUrl } from '#contract/public-pages.ts'
import { nothingReturned } from '#contract/returned-money.ts'
import { sql } from '#server/db/drizzle.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { readMailSettings } from '#server/mail/compose.ts'
import { composeMail } from '#server/mail/messages.ts'
import { smtpTransport } from '#server/mail/transport.ts'
import { composeAcknowledgement } from '#server/mail/withdrawal-messages.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { openSaleShop, type SaleShop } from '#server/testing/sale.ts'
import { countTexts, openFields, type Accepted, type Stored } from './fields.ts'
import { createFaults, type Findings } from './findings.ts'
import { findBadCells, findBadLinks, outlineHtml, parseCsv, readPageData } from './read-output.ts'

/*
 * Hostile texts in every field that keeps text, and then every place that shows them. A page is compared with the page of a
 * harmless text of the same lines: a text may change no element and no attribute.
 */

export type TextShop = SaleShop & {
  sold: { productId: string; orderId: string; payload: string }[]
}

/** Otherwise there is no mail about its parcel. */
const sent = {
  status: 'shipped',
  shipment: { carrier: 'dhl', trackingNumber: '4711', trackingUrl: 'https://parcels.example/4711' },
} as const

/** A product, an order and an order made from review keep at least so many texts. */
const least = { product: 6, order: 19, late: 10 }

/** A line that a text must not make, or a character that turns text around. */
const isOdd = (text: string | undefined) =>
  /[\u202A-\u202E\u2066-\u2069]|(?!\n)\p{Cc}/u.test(text ?? '')

export async function attackWithTexts(
  payloads: string[],
): Promise<{ findings: Findings; shop: TextShop }> {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const { config, secret } = shop.shop
  const fields = await openFields(shop)
  const faults = createFaults(
    'pages and mails whose elements a text changed',
    'links that run',
    'cells that are formulas',
    'headers of mails that a text changed',
    'answers that a browser might run',
    'texts that came back changed',
    'texts that did not reach their fields',
  )
  const mailServer = await openMailServer()
  const smtp = smtpTransport(mailServer.url)
  const paused = await addMug(shop)
  await shop.db.execute(sql`update products set paused_at = now() where id = ${paused}`)
  const twins = new Map<string, Awaited<ReturnType<typeof readScreens>>>()
  const sold: TextShop['sold'] = []
  let screens = 0

  const readPage = async (url: string) => (await fields.call('GET', url)).body

  /** As mails of real and of test orders arrive. */
  async function sendMails({ order }: Stored) {
    const settings = readMailSettings(config, { localOrigin: 'http://127.0.0.1', secret })
    const received = []
    for (const isTest of [false, true])
      for (const kind of ['confirmation', 'new-sale', 'shipped']) {
        const shown = { ...order, ...nothingReturned, ...sent, isPaid: true, isTest }
        const message = composeMail({ id: order.id, kind }, shown, {
          ...settings,
          hasMailServer: true,
          from: 'shop@example.com',
          shopEmail: 'owner@example.com',
          alertEmail: 'owner@example.com',
        })
        if (!message) throw new Error(`no mail of kind ${kind}`)
        await smtp.send(message, { id: order.id, kind, createdAt: new Date() })
        const arrived = mailServer.received.pop()
        if (!arrived) throw new Error('the mail did not arrive')
        received.push({ name: `mail of kind ${kind}, test ${isTest}`, ...arrived })
      }
    return received
  }

  /** Everything that shows a text as HTML, by name. */
  async function readScreens(text: string, stored: Stored) {
    const { product, order, buyer, late, withdrawal } = stored
    const settings = readMailSettings(config, { localOrigin: 'http://127.0.0.1', secret })
    const draft = {
      name: text,
      price: '5.00',
      currency: 'EUR',
      headerLogoUrl: product.headerLogoUrl,
    }
    const preview = await fields.call('POST', apiRoutes.productPreview, draft)
    const opening = encodeURIComponent(text.slice(0, maxOpeningLength))
    const pages: Record<string, string> = {
      checkout: await readPage(checkoutPath(product.id)),
      paused: await readPage(checkoutPath(paused)),
      'thank-you': (await buyer.call('GET', thankYouPath(order.id))).body,
      'thank-you of a review': (await late.buyer.call('GET', thankYouPath(late.order.id))).body,
      preview: preview.json<{ html?: string }>().html ?? '',
      acknowledgement: String(
        composeAcknowledgement({ id: withdrawal.id }, withdrawal, settings)?.html,
      ),
    }
    for (const kind of buyerMailKinds) {
      const url = `${apiRoutes.mailPreview}?kind=${kind}&opening=${opening}`
      const example = await fields.call('GET', url)
      // A text of several lines is refused, in both.
      pages[`example of ${kind}`] = example.statusCode === 200 ? example.body : ''
    }
    const mails = await sendMails(stored)
    return { pages, mails }
  }

  /** Screens with a harmless text of the same lines (U+0085 ends a line too), made once for each arrangement of lines and of accepted forms. */
  async function readTwin(text: string, accepted: Accepted) {
    const harmless = isPolicyUrl(text)
      ? 'https://example.com'
      : text.replaceAll(/[^\s\u0085]+/g, 'x')
    const key = JSON.stringify([harmless, ...accepted])
    const known = twins.get(key)
    if (known) return known
    const twin = await fields.store(harmless, accepted)
    const read = await readScreens(harmless, twin)
    await twin.restore()
    twins.set(key, read)
    return read
  }

  async function attack(payload: string): Promise<void> {
    const name = JSON.stringify(payload)
    const text = payload.trim()
    const accepted: Accepted = new Map()
    const stored = await fields.store(text, accepted)
    const { product, order, late, buyer, withdrawal } = stored
    sold.push({ productId: product.id, orderId: order.id, payload })
    const { product: _copy, ...ofBuyer } = order
    const reached = { product, order: ofBuyer, late: late.order }
    for (const [row, count] of Object.entries(least))
      if (countTexts(reached[row as keyof typeof reached], payload) < count)
        faults['texts that did not reach their fields'].push(`${row}: ${name}`)
    // As an imprint and as a policy every text is accepted.
    const whole = ['shop', 'shop.imprint', 'policies', 'policies.refund']
    if (whole.some((form) => accepted.get(form) !== 0))
      faults['texts that did not reach their fields'].push(`settings: ${name}`)

    // The shop drops characters of a product's name that turn the text after it around.
    const called = dropTurningCharacters(text)
    const shown = await readScreens(text, stored)
    for (const [page, expectedText] of [
      ['checkout', called],
      ['thank-you', text],
      ['thank-you of a review', text],
    ] as const)
      if (!JSON.stringify(readPageData(shown.pages[page] ?? '')).includes(asJson(expectedText)))
        faults['texts that came back changed'].push(`${page}: ${name}`)
    for (const [url, answer] of Object.entries(stored.answers)) inspect(answer, url)
    await checkJson(pathOf(apiRoutes.product, { id: product.id }), called)
    inspect(await buyer.call('GET', pathOf(apiRoutes.order, { id: order.id })), 'the order', text)
    await checkJson(`${apiRoutes.review}?archive=true`, text)
    await checkJson(`${apiRoutes.withdrawals}?unmatched=true`, withdrawal.name)
    await stored.restore()
    for (const field of ['imageUrl', 'headerLogoUrl'] as const) {
      const named = `https://pictures.example/${text}`
      const pictured =
        (await fields.storeAsPicture(text, field)) ?? (await fields.storeAsPicture(named, field))
      const html = pictured ? await readPage(checkoutPath(pictured.id)) : ''
      for (const link of findBadLinks(html)) faults['links that run'].push(`${field}: ${link}`)
    }

    const expected = await readTwin(text, accepted)
    for (const [page, html] of Object.entries(shown.pages)) {
      screens += 1
      for (const link of findBadLinks(html)) faults['links that run'].push(`${page}: ${link}`)
      // A text that is refused is not shown.
      if (html !== '' && outlineHtml(html) !== outlineHtml(expected.pages[page] ?? ''))
        faults['pages and mails whose elements a text changed'].push(`${page}: ${name}`)
    }
    for (const [at, received] of shown.mails.entries()) {
      screens += 2
      const { mail } = received
      const other = expected.mails[at]
      if (!other || outlineMail(received) !== outlineMail(other))
        faults['pages and mails whose elements a text changed'].push(`${received.name}: ${name}`)
      for (const link of findBadLinks(mail.html ?? ''))
        faults['links that run'].push(`${received.name}: ${link}`)
      const names = [mail.from, mail.to?.[0], mail.replyTo?.[0]].map((one) => one?.name)
      if ([mail.text, mail.subject, ...names].some(isOdd) || mail.attachments.length > 0)
        faults['headers of mails that a text changed'].push(`${name}: ${mail.subject}`)
    }
  }

  function inspect(
    answer: { body: string; headers: Record<string, unknown> },
    name: string,
    text?: string,
  ) {
    screens += 1
    const type = String(answer.headers['content-type'])
    const isInert = /^(application\/json|text\/csv)/.test(type)
    if (!isInert || answer.headers['x-content-type-options'] !== 'nosniff')
      faults['answers that a browser might run'].push(`${name}: ${type}`)
    if (text !== undefined && !answer.body.includes(asJson(text)))
      faults['texts that came back changed'].push(`${name}: ${JSON.stringify(text)}`)
  }

  async function checkJson(url: string, text?: string): Promise<void> {
    inspect(await fields.call('GET', url), url, text)
  }

  for (const payload of payloads) await attack(payload)
  smtp.close()

  const lists = [
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
    apiRoutes.settings,
  ]
  for (const url of lists) await checkJson(url)
  const email = 'anna@example.com'
  inspect(await fields.call('POST', apiRoutes.customerExport, { email }), apiRoutes.customerExport)
  const csv = await fields.call('GET', apiRoutes.orderExport)
  inspect(csv, apiRoutes.orderExport)
  if (!String(csv.headers['content-disposition']).startsWith('attachment'))
    faults['answers that a browser might run'].push('the CSV is not a download')
  const rows = parseCsv(csv.body)
  faults['cells that are formulas'].push(...findBadCells(rows))
  const cells = rows.reduce((sum, row) => sum + row.length, 0)
  return {
    findings: {
      figures: [
        `${payloads.length} texts in every field, shown on ${screens} pages, mails and answers and in ${cells} cells of CSV`,
      ],
      faults,
    },
    shop: { ...shop, sold },
  }
}

/** As the schemas keep it, in JSON. */
const asJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** The elements of a mail, the names of its headers, and how many get it. */
function outlineMail({
  mail,
  raw,
  to,
}: {
  mail: { html?: string | undefined }
  raw: string
  to: string[]
}): string {
  const [head = ''] = raw.split('\r\n\r\n')
  const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name)
  return `${names.join(' ')} to ${to.length}\n${outlineHtml(mail.html ?? '')}`
}
