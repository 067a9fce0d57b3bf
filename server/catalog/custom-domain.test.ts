import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

async function domainsOf(environment: Record<string, string>) {
  const shop = await openTestShop({ environment })
  const headers = { ...(await shop.signIn()), host: 'localhost:3000' }
  return (await shop.app.inject({ url: apiRoutes.customDomain, headers })).json()
}

test('without settings a checkout link carries the address the owner came by', async () => {
  assert.deepEqual(await domainsOf({}), {
    customDomain: null,
    currentDomain: 'http://localhost:3000',
    paymentCurrency: 'EUR',
  })
})

test('the public address and the custom domain win over it', async () => {
  const environment = { PUBLIC_URL: 'https://shop.example.com', CUSTOM_DOMAIN: 'pay.example.com' }
  const domains = await domainsOf(environment)
  assert.equal(domains.currentDomain, 'https://shop.example.com')
  assert.equal(domains.customDomain, 'https://pay.example.com')
})
