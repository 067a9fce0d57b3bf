import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import { defaultSettings, settingsSchemas, type SettingsCheck } from '#contract/shop-settings.ts'
import { readConfig } from '#server/config.ts'
import { askPublicUrl } from '#server/checks/addresses.ts'
import { selfCheckHeader } from '#server/http/self-check.ts'
import { openTestShop, testAdmin } from '#server/testing/test-shop.ts'

async function openDesk() {
  const shop = await openTestShop()
  const headers = await shop.signIn()
  const checkAddress = async (url: string): Promise<SettingsCheck> => {
    const payload = { kind: 'publicUrl', url, password: testAdmin.password }
    const answer = await shop.app.inject({
      method: 'POST',
      url: apiRoutes.addressCheck,
      headers,
      payload,
    })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  return { ...shop, headers, checkAddress }
}

async function startServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a mail server typed with its port, or with a name that is none, is refused with a reason', () => {
  const refuse = (smtpHost: string) =>
    settingsSchemas.mail.shape.smtpHost.safeParse(smtpHost).error?.issues[0]?.message ?? 'accepted'
  assert.match(refuse('mail.example.com:587'), /port into its own field/)
  for (const wrong of ['.', '-x', 'a..b', 'a b', ':', '1:2:3', 'a-.b', '[::1]', 'x/y', 'ü@x'])
    assert.match(refuse(wrong), /a name such as/, wrong)
  for (const good of [
    'mail.example.com',
    'localhost',
    '192.0.2.1',
    '::1',
    '2001:db8::25',
    'm-1.x.',
  ])
    assert.equal(refuse(good), 'accepted', good)
})

test('whatever mail server is saved, a test mail that cannot be sent leaves the shop running', async () => {
  const { app, headers } = await openDesk()
  const url = pathOf(apiRoutes.settingsSection, { section: 'mail' })
  const values = {
    from: 'shop@mugs.example',
    smtpHost: '256.256.256.256',
    smtpPort: 587,
    smtpSecurity: 'starttls',
    smtpUser: null,
  }
  const payload = { version: 0, values, password: testAdmin.password }
  const saved = await app.inject({ method: 'PUT', url, headers, payload })
  assert.equal(saved.statusCode, 200, saved.body)
  const { status, found } = (
    await app.inject({ method: 'POST', url: apiRoutes.testMail, headers })
  ).json() as SettingsCheck
  assert.equal(status, 'fail')
  assert.doesNotMatch(found, /E[A-Z]{3,}/)
  assert.equal((await app.inject({ url: apiRoutes.settings, headers })).statusCode, 200)
})

test('checking an address reads no more than the start of an answer that never ends', async () => {
  const { checkAddress } = await openDesk()
  let sent = 0
  const origin = await startServer((_request, response) => {
    const chunk = Buffer.alloc(65_536, 'x')
    const send = () => {
      while (!response.destroyed) {
        sent += chunk.length
        if (!response.write(chunk)) return
      }
    }
    response.on('drain', send)
    send()
  })
  assert.equal((await checkAddress(origin)).status, 'fail')
  assert.ok(sent < 20_000_000, `${sent} bytes were taken`)
})

test('checking an address tells alike of whatever is there, so that nobody maps the network with it', async () => {
  const { checkAddress } = await openDesk()
  const closed = await startServer(() => {})
  const mailServer = createSocketServer((socket) => socket.on('error', () => {}).end('220 hi\r\n'))
  mailServer.listen(0, '127.0.0.1')
  await once(mailServer, 'listening')
  after(() => mailServer.close())
  const origins = [
    await startServer((_request, response) => response.end('another site')),
    `http://127.0.0.1:${(mailServer.address() as AddressInfo).port}`,
    closed.replace('http:', 'https:'),
    'http://127.0.0.1:1',
    'http://127.0.0.1:25',
    'http://169.254.169.254',
    'http://[::ffff:169.254.169.254]',
  ]
  const [first, ...others] = await Promise.all(
    origins.map(async (origin) =>
      JSON.stringify(await checkAddress(origin)).replace(new URL(origin).origin, ''),
    ),
  )
  for (const [index, other] of others.entries()) assert.equal(other, first, origins[index + 1])
  const { detail } = await askPublicUrl(readConfig({}), 'http://169.254.169.254')
  assert.equal(detail, 'it is link-local')
})

test('a stranger who looks like the shop gets nothing from the check of its address, and is found', async () => {
  const { app, checkAddress } = await openDesk()
  const received: string[] = []
  const origin = await startServer(({ url, headers }, response) => {
    const header = headers[selfCheckHeader]
    if (typeof header === 'string') received.push(header)
    response.end(url === apiRoutes.healthLive ? '{"status":"live"}' : 'hello')
  })
  const { status, found } = await checkAddress(origin)
  assert.equal(status, 'fail')
  assert.match(found, /Another shop answers/)
  assert.equal(received.length, 1)
  const headers = { [selfCheckHeader]: received[0] ?? '' }
  const { body } = await app.inject({ url: apiRoutes.selfCheck, headers })
  assert.doesNotMatch(body, /peer|isTrusted|127\.0\.0\.1/)
})

test('characters that turn the text after a name around are dropped', () => {
  const { name } = settingsSchemas.shop.parse({
    ...defaultSettings.shop,
    name: 'Mugs\u202E & \u2066more',
  })
  assert.equal(name, 'Mugs & more')
  const product = { price: '1', headerLogoUrl: '/logo.png' }
  const turned = { ...product, name: '\u202EMug', headerName: 'A\u2067B' }
  const { name: title, headerName } = productSchema.parse(turned)
  assert.deepEqual([title, headerName], ['Mug', 'AB'])
  assert.equal(productSchema.safeParse({ ...product, name: ' \u202E ' }).success, false)
  const family = '👩‍🌾 \u200Fשלום'
  assert.equal(productSchema.parse({ ...product, name: family }).name, family)
})

test('the logo of the shop is an uploaded picture or one elsewhere', () => {
  const isLogo = (url: string) => settingsSchemas.shop.shape.logoUrl.safeParse(url).success
  const key = '0123456789abcdef0123456789abcdef'
  for (const wrong of [
    '/api/admin/logout',
    '/api/objects/../x',
    '/logo.png',
    'logo.png',
    'data:,x',
  ])
    assert.equal(isLogo(wrong), false, wrong)
  for (const good of [
    `/api/objects/${key}`,
    `/api/objects/${key}?size=logo`,
    'https://a.example/api/x',
  ])
    assert.equal(isLogo(good), true, good)
})
