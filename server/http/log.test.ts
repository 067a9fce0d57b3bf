import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { openLog } from './log.ts'

/** Everything that is somebody's own carries this word, so that one look finds it. */
const mark = 'zanzibar'

function collectingLog() {
  const lines: string[] = []
  const output = new Writable({
    write(bytes, _encoding, done) {
      lines.push(String(bytes))
      done()
    },
  })
  return { log: openLog('trace', output as NodeJS.WriteStream), lines }
}

test('a whole sale, a refused sign-in and a broken database leave nobody’s data in the log', async () => {
  const { log, lines } = collectingLog()
  const shop = await openTestShop({ log, environment: { TRUST_PROXY: '1' } })
  const mug = await addMug(shop)
  const buyer = createBuyer(shop, '198.51.100.77')
  const { checkoutId } = (await buyer.open(mug)).json()
  await buyer.saveDetails(checkoutId, {
    customerEmail: `${mark}@example.com`,
    customerPhone: mark,
    shippingAddress: {
      country: 'Germany',
      firstName: mark,
      lastName: mark,
      address: mark,
      city: mark,
      postcode: mark,
    },
  })
  await payByCard(shop.sandbox, checkoutId)
  const { id } = (await buyer.look(checkoutId)).json()
  await buyer.call('GET', `${pathOf(apiRoutes.order, { id: id ?? checkoutId })}?key=${mark}`)
  const login = { username: mark, password: mark }
  const headers = {
    cookie: `till_session=${mark}`,
    'user-agent': mark,
    referer: `https://${mark}.example`,
  }
  await shop.app.inject({ method: 'POST', url: apiRoutes.adminLogin, payload: login, headers })
  await shop.app.inject({ url: `/${mark}?${mark}=${mark}`, headers })
  await shop.shop.pool.query('alter table credentials rename to elsewhere')
  const broken = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.adminLogin,
    payload: login,
    headers,
  })
  assert.equal(broken.statusCode, 500)

  const text = lines.join('')
  assert.ok(text.includes('credentials'), 'the fault itself was not logged')
  assert.ok(lines.length > 10)
  assert.equal(
    text.includes(mark),
    false,
    lines.find((line) => line.includes(mark)),
  )
  assert.doesNotMatch(text, /198\.51\.100|argon2/)
})
