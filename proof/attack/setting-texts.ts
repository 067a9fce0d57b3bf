import { buyerMailKinds, maxOpeningLength, noOpenings } from '#contract/mails.ts'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { isPolicyUrl } from '#contract/public-pages.ts'
import { nothingReturned } from '#contract/returned-money.ts'
import type { SettingsSection } from '#contract/shop-settings.ts'
import { sql } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { readMailSettings } from '#server/mail/compose.ts'
import { composeMail } from '#server/mail/messages.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { createFaults, type Findings } from './findings.ts'
import { findBadLinks, outlineHtml } from './read-output.ts'

/*
 * Hostile texts as name, address, imprint, VAT number, policies and pickup place of the shop, and every page and mail that shows them.
 * Each is compared with the same page of a harmless text of the same lines.
 */
export async function attackWithSettings(payloads: string[]): Promise<Findings> {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const { cookie } = await shop.signIn()
  // Each text comes from another address, so that limits do not end the attack.
  let texts = 0
  const address = () => `198.18.${texts >> 8}.${texts & 255}`
  const asAdmin = () => ({ cookie, 'x-forwarded-for': address() })
  const faults = createFaults(
    'pages and mails whose elements a text changed',
    'links that run',
    'texts that did not reach their fields',
  )
  const paused = await addMug(shop)
  await shop.db.execute(sql`update products set paused_at = now() where id = ${paused}`)
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  const { id: orderId } = (await buyer.order(checkoutId)).json<{ id: string }>()
  const [order] = await shop.db.select().from(orders)
  if (!order) throw new Error('there is no order')
  let version = 0
  let stored = 0

  /** Saves the first attempt that the shop accepts, and for a harmless text the one that it accepted of the hostile one. */
  async function save(
    accepted: Map<string, number>,
    section: SettingsSection,
    ...attempts: object[]
  ): Promise<void> {
    for (const [at, values] of attempts.entries()) {
      if ((accepted.get(section) ?? at) !== at) continue
      const url = pathOf(apiRoutes.settingsSection, { section })
      const payload = { version, values, password: testAdmin.password }
      const answer = await shop.app.inject({ method: 'PUT', url, headers: asAdmin(), payload })
      if (answer.statusCode >= 500) throw new Error(`${section}: ${answer.body}`)
      if (answer.statusCode !== 200) continue
      version += 1
      stored += Object.values(values).filter(Boolean).length
      accepted.set(section, at)
      return
    }
  }

  async function readPages(
    text: string,
    accepted: Map<string, number>,
  ): Promise<Record<string, string>> {
    const lines = { postalAddress: text.slice(0, 500), imprint: text, email: null, logoUrl: null }
    await save(accepted, 'shop', { ...lines, name: text.slice(0, 200) }, { ...lines, name: null })
    await save(
      accepted,
      'tax',
      { vatRate: null, vatNumber: text },
      { vatRate: null, vatNumber: null },
    )
    const none = { refund: null, shipping: null, privacy: null, terms: null }
    const own = { refund: text, shipping: text, privacy: text, terms: text, withdrawal: text }
    await save(accepted, 'policies', own, none)
    const place = {
      name: text.slice(0, 120),
      address: text.slice(0, 200),
      city: text.slice(0, 200),
      state: text.slice(0, 200),
    }
    const pickup = { ...place, postcode: '10115', country: 'Germany', hours: text.slice(0, 300) }
    const delivery = { countries: ['Germany'], prices: [], pickup: null }
    await save(accepted, 'delivery', { ...delivery, pickup }, delivery)
    const opening = text.slice(0, maxOpeningLength)
    const openings = Object.fromEntries(buyerMailKinds.map((kind) => [kind, opening]))
    await save(accepted, 'texts', openings, noOpenings)
    const { config, secret } = shop.shop
    const mail = composeMail(
      { id: orderId, kind: 'confirmation' },
      { ...(order as typeof orders.$inferSelect), ...nothingReturned, isPaid: true, isTest: false },
      readMailSettings(config, { localOrigin: 'http://127.0.0.1', secret }),
    )
    const preview = await shop.app.inject({
      method: 'POST',
      url: apiRoutes.productPreview,
      headers: asAdmin(),
      payload: {
        name: 'Mug',
        price: '5.00',
        currency: 'EUR',
        headerLogoUrl: 'https://example.com/logo.png',
      },
    })
    return {
      checkout: (await createBuyer(shop, address()).call('GET', checkoutPath(shop.mug))).body,
      paused: (await createBuyer(shop, address()).call('GET', checkoutPath(paused))).body,
      'thank-you': (await buyer.call('GET', thankYouPath(orderId))).body,
      preview: preview.json<{ html?: string }>().html ?? '',
      mail: typeof mail?.html === 'string' ? mail.html : '',
      ...Object.fromEntries(
        await Promise.all(
          buyerMailKinds.map(async (kind) => {
            const example = await shop.app.inject({
              url: apiRoutes.mailPreview,
              query: { kind, opening },
              headers: asAdmin(),
            })
            // A text of several lines is refused, in both.
            return [`example of ${kind}`, example.statusCode === 200 ? example.body : '']
          }),
        ),
      ),
    }
  }

  let screens = 0
  for (const payload of payloads) {
    texts += 1
    const accepted = new Map<string, number>()
    const pages = await readPages(payload.trim(), accepted)
    // As an imprint and as a policy every text is accepted.
    if (!accepted.has('shop') || accepted.get('policies') !== 0)
      faults['texts that did not reach their fields'].push(JSON.stringify(payload))
    const harmless = isPolicyUrl(payload.trim())
      ? 'https://example.com'
      : payload.trim().replaceAll(/[^\s]+/g, 'x')
    const twin = await readPages(harmless, accepted)
    for (const [name, html] of Object.entries(pages)) {
      screens += 1
      for (const link of findBadLinks(html)) faults['links that run'].push(`${name}: ${link}`)
      if (outlineHtml(html) !== outlineHtml(twin[name] ?? ''))
        faults['pages and mails whose elements a text changed'].push(
          `${name}: ${JSON.stringify(payload)}`,
        )
    }
  }
  return {
    figures: [
      `${payloads.length} texts in ${stored} settings, shown on ${screens} pages and mails`,
    ],
    faults,
  }
}
