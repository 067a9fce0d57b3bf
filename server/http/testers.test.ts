import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { openTestShop, type TestShop } from '#server/testing/test-shop.ts'

type Asked = { headers?: Record<string, string>; remoteAddress?: string }

const readOrder = { url: `${apiRoutes.orders}/11111111-1111-4111-8111-111111111111`, times: 61 }

/** Whether an address may send more than usual in a minute: by default one read of an order more. */
async function isWide({ app }: TestShop, asked: Asked = {}, call = readOrder): Promise<boolean> {
  const { times, ...sent } = call
  let status = 0
  for (let time = 0; time < times; time += 1)
    ({ statusCode: status } = await app.inject({ ...sent, ...asked }))
  return status !== 429
}

test('who tries the shop out in test mode at its machine does not meet limits of an address', async () => {
  const shop = await openTestShop()
  assert.equal(await isWide(shop), true)
  const track = { method: 'POST', url: apiRoutes.track, payload: {}, times: 121 } as const
  assert.equal(await isWide(shop, {}, track), true)
  assert.equal(await isWide(shop, {}, { url: '/api/nothing', times: 1_201 }), true)
  assert.equal(await isWide(shop, { remoteAddress: '203.0.113.7' }), false)
  assert.equal(await isWide(shop, { headers: { 'x-forwarded-for': '203.0.113.8' } }), false)
})

test('a live or published shop has the usual limits on its machine too', async () => {
  assert.equal(await isWide(await openTestShop({ isLive: true })), false)
  const environment = { PUBLIC_URL: 'https://shop.example.com' }
  assert.equal(await isWide(await openTestShop({ environment })), false)
})

test('a request on this machine that names another host ends the wide limits, since a proxy lets others in', async () => {
  for (const headers of [
    { host: 'shop.example.com' },
    { host: 'localhost:3000', origin: 'https://shop.example.com' },
  ]) {
    const shop = await openTestShop()
    const url = apiRoutes.healthLive
    await shop.app.inject({ url, headers, remoteAddress: '203.0.113.7' })
    assert.equal(await isWide(shop), true, 'strangers name what they like')
    await shop.app.inject({ url, headers })
    assert.equal(await isWide(shop), false)
  }
})
