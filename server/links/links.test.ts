import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import sharp from 'sharp'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { objectUrl } from '#contract/pictures.ts'
import { productSchema } from '#contract/products.ts'
import { createProduct, setPaused } from '#server/catalog/products.ts'
import { checkouts } from '#server/db/schema.ts'
import { registerClientAddress } from '#server/http/proxies.ts'
import { mountCalls } from '#server/http/calls.ts'
import { registerErrorHandler } from '#server/http/errors.ts'
import { createRequestLimits, limitRequests } from '#server/http/rate-limits.ts'
import { noise, openPictureClient } from '#server/testing/pictures.ts'
import { openDesk } from '#server/testing/settings-desk.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { queueDecoding } from '#server/uploads/image-processing.ts'
import { deleteObject } from '#server/uploads/objects.ts'
import { linkCalls } from './calls.ts'
import { openDrawnPictures } from './drawn-pictures.ts'
import { keepDrawable } from './link-picture.ts'

const publicUrl = 'https://shop.example.com'
const desk = await openDesk({ PUBLIC_URL: publicUrl, SHOP_NAME: 'Harbour & Co' })
const { app, db, sandbox } = desk
const pictures = await openPictureClient(desk)

async function addProduct(more: object = {}): Promise<string> {
  const headerLogoUrl = 'https://example.com/logo.png'
  const content = productSchema.parse({ name: 'Mug', price: '24.00', headerLogoUrl, ...more })
  return (await createProduct(db, content, 'admin')).id
}

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: 'shop.example.com', ...headers } })

async function readHead(id: string): Promise<string> {
  const { body } = await get(checkoutPath(id))
  return body.slice(0, body.indexOf('</head>'))
}

function tagsOf(head: string): Record<string, string> {
  const tags = head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g)
  return Object.fromEntries(Array.from(tags, ([, name = '', content = '']) => [name, content]))
}

const never = () => {
  throw new Error('asked')
}
const pathAndQuery = (url = '') => url.slice(publicUrl.length)

test('a pasted link has a card with title, description, address and a large picture', async () => {
  const id = await addProduct({ name: 'Mug "Nord" & <Süd>', description: 'Stoneware.' })
  const tags = tagsOf(await readHead(id))
  assert.equal(tags['og:title'], 'Mug &quot;Nord&quot; &amp; &lt;Süd&gt;')
  assert.equal(tags['og:description'], 'Stoneware.')
  assert.equal(tags['og:url'], `${publicUrl}${checkoutPath(id)}`)
  assert.equal(tags['og:site_name'], 'Harbour &amp; Co')
  assert.equal(tags['product:price:amount'], '24.00')
  assert.equal(tags['twitter:card'], 'summary_large_image')
  const picture = await get(pathAndQuery(tags['og:image']))
  assert.equal(picture.headers['content-type'], 'image/jpeg')
  assert.match(String(picture.headers['cache-control']), /immutable/)
  const { width, height, format } = await sharp(picture.rawPayload).metadata()
  assert.deepEqual({ width, height, format }, { width: 1200, height: 630, format: 'jpeg' })
})

test('the drawn picture shows the product, weighs at most 250 kB and has a new address when it changes', async () => {
  const { key } = await pictures.upload(await noise(900, 900).jpeg({ quality: 95 }).toBuffer())
  const id = await addProduct({ imageUrl: objectUrl(key), name: 'A very noisy mug '.repeat(20) })
  const before = tagsOf(await readHead(id))['og:image'] ?? ''
  const picture = await get(pathAndQuery(before))
  assert.ok(picture.rawPayload.length <= 250_000, `${picture.rawPayload.length} bytes`)
  const panel = await sharp(picture.rawPayload)
    .extract({ left: 70, top: 70, width: 480, height: 480 })
    .stats()
  assert.ok((panel.channels[0]?.stdev ?? 0) > 20, 'the panel is empty')
  await setPaused(db, id, true)
  desk.shop.productCache.outdate(id)
  const after = tagsOf(await readHead(id))['og:image'] ?? ''
  assert.notEqual(after, before)
  const stale = await get(pathAndQuery(before))
  assert.equal(stale.statusCode, 200, 'old messages still have a picture')
  assert.equal(stale.headers['cache-control'], 'no-cache')
})

test('a picture that is gone, odd texts and an unknown product cost no card and break nothing', async () => {
  const gone = await addProduct({ imageUrl: objectUrl('0'.repeat(32)), name: '日本 🍵 <b>&' })
  assert.equal((await get(pathAndQuery(tagsOf(await readHead(gone))['og:image']))).statusCode, 200)
  const other = pathOf(apiRoutes.linkPicture, { id: '3f0c9a52-7d1b-4c5e-9a53-0b6a1f0f7c11' })
  assert.equal((await get(other)).statusCode, 404)
  assert.equal((await get(pathOf(apiRoutes.linkPicture, { id: 'x' }))).statusCode, 404)
})

test('a drawn picture leaves out what its font lacks, and nothing of European names', () => {
  assert.equal(keepDrawable('李 👨‍👩‍👧 Lee'), 'Lee')
  assert.equal(keepDrawable('an\u202Ena\u0000 \u2066x\u2069\tb\u00ADc\uFEFF'), 'anna x bc')
  assert.equal(keepDrawable('e\u0301\uD800'), 'é')
  const european = 'Żółć · İbrahim Çağrı · Γιώργος · Щербак Ї · Straße № 5 – “½” €₺₴ Việt'
  assert.equal(keepDrawable(european), european)
})

test('a picture of another site is named as it is, and never fetched', async () => {
  const id = await addProduct({ imageUrl: 'http://pictures.example/mug.jpg' })
  const tags = tagsOf(await readHead(id))
  assert.equal(tags['og:image'], 'https://pictures.example/mug.jpg')
  assert.equal(tags['og:image:width'], undefined)
})

test('the card of a product whose picture is none is drawn without one', async () => {
  const id = await addProduct({ imageUrl: 'mug.png', headerLogoUrl: 'data:image/png,x' })
  const head = await readHead(id)
  assert.doesNotMatch(head, /mug\.png|data:/)
  assert.equal((await get(pathAndQuery(tagsOf(head)['og:image']))).statusCode, 200)
})

test('drawing takes no turn from the uploads, and what had to be drawn counts like a missing picture', async () => {
  const { key } = await pictures.upload(await noise(40, 20).png().toBuffer(), 'logo')
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const uploads = Array.from({ length: 22 }, () => queueDecoding(() => gate))
  const app = fastify()
  registerErrorHandler(app)
  registerClientAddress(app)
  limitRequests(app, createRequestLimits(3))
  const drawnPictures = openDrawnPictures(temporaryFolder())
  mountCalls(app, { ...desk.shop, readFacts: never, drawnPictures }, linkCalls)
  const ask = async (name: string) =>
    (await app.inject(pathOf(apiRoutes.icon, { key: name }))).statusCode
  const statuses = []
  for (const name of [key, key, key, key, 'x', 'x', key, 'x']) statuses.push(await ask(name))
  assert.deepEqual(statuses, [200, 200, 200, 200, 404, 404, 429, 429])
  open()
  await Promise.all(uploads)
})

test('the icon of a logo that was deleted is no longer served', async () => {
  const { key } = await pictures.upload(await noise(40, 20).png().toBuffer(), 'logo')
  const icon = pathOf(apiRoutes.icon, { key })
  assert.equal((await get(icon)).statusCode, 200)
  await deleteObject(db, key)
  assert.equal((await get(icon)).statusCode, 404)
})

test('tabs and home screens show the logo on a square', async () => {
  const { key } = await pictures.upload(await noise(400, 100).png().toBuffer(), 'logo')
  const head = await readHead(await addProduct({ headerLogoUrl: objectUrl(key) }))
  const icon = pathOf(apiRoutes.icon, { key })
  assert.match(head, new RegExp(`rel="icon" type="image/png" href="${icon}"`))
  assert.match(head, new RegExp(`rel="apple-touch-icon" href="${icon}"`))
  const { rawPayload } = await get(icon)
  const { width, height, format, hasAlpha } = await sharp(rawPayload).metadata()
  assert.deepEqual(
    { width, height, format, hasAlpha },
    { width: 180, height: 180, format: 'png', hasAlpha: false },
  )
  for (const missing of ['0'.repeat(32), 'x', `${key}.webp`])
    assert.equal((await get(pathOf(apiRoutes.icon, { key: missing }))).statusCode, 404)
})

test('search engines list a checkout only where the owner allows it, with its product data', async () => {
  const id = await addProduct({ name: '</script><b>Mug', description: 'Stoneware.' })
  assert.match(await readHead(id), /<meta name="robots" content="noindex"/)
  assert.doesNotMatch(await readHead(id), /ld\+json/)
  assert.equal((await desk.change('links', { isIndexed: true })).statusCode, 200)
  const head = await readHead(id)
  assert.doesNotMatch(head, /noindex/)
  const [, json = ''] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(head) ?? []
  const { name, offers } = JSON.parse(json)
  assert.equal(name, '</script><b>Mug')
  assert.equal(offers.price, '24.00')
  assert.equal(offers.availability, 'https://schema.org/InStock')
  await setPaused(db, id, true)
  desk.shop.productCache.outdate(id)
  assert.match(await readHead(id), /OutOfStock/)
  await desk.change('links', { isIndexed: false })
  assert.match(await readHead(id), /noindex/)
})

test('the price stands in the title of the card as soon as the owner wants it', async () => {
  const id = await addProduct()
  assert.equal(tagsOf(await readHead(id))['og:title'], 'Mug')
  await desk.change('links', { hasPriceInTitle: true })
  assert.equal(tagsOf(await readHead(id))['og:title'], 'Mug · €24.00')
  await desk.change('links', { hasPriceInTitle: false })
})

test('link previews open no checkout at SumUp, and search engines are told not to', async () => {
  const id = await addProduct()
  const before = await desk.db.$count(checkouts)
  for (const agent of [
    'WhatsApp/2.23.20.0',
    'facebookexternalhit/1.1',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Twitterbot/1.0',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  ]) {
    const { body } = await get(checkoutPath(id), { 'user-agent': agent })
    const tags = tagsOf(body)
    assert.ok(tags['og:title'] && tags['og:description'] && tags['og:url'] && tags['og:image'])
    await get(pathAndQuery(tags['og:image']), { 'user-agent': agent })
  }
  assert.equal(await desk.db.$count(checkouts), before)
  assert.equal(sandbox.ledger().checkouts.length, 0)
  // Search engines that run scripts keep to this.
  const { body } = await get('/robots.txt')
  assert.match(body, /^Disallow: \/api\/$/m)
  assert.match(body, /^Allow: \/api\/products\/\*\/link-picture\.jpg$/m)
})

test('an unfinished product already has its card in the dialog', async () => {
  const draft = { name: '', price: 'nonsense', description: 'Stoneware.' }
  const card = await desk.post(apiRoutes.linkPreview, draft)
  assert.equal(card.title, 'Product Name')
  assert.equal(card.description, 'Stoneware.')
  assert.equal(card.host, 'shop.example.com')
  assert.match(card.picture, /^data:image\/jpeg;base64,/)
  const elsewhere = { imageUrl: 'https://pictures.example/mug.jpg' }
  const { picture } = await desk.post(apiRoutes.linkPreview, { ...draft, ...elsewhere })
  assert.equal(picture, 'https://pictures.example/mug.jpg')
})
