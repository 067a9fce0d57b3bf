import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { ownLogo } from '#server/testing/orders.ts'
import { openSaleShop } from '#server/testing/sale.ts'

const shop = await openSaleShop({ environment: { TRUST_PROXY: '1' } })
const { app, sandbox } = shop
const headers = await shop.signIn()
let visitors = 0

const values = [{ name: 'Sky blue' }, { name: 'Red', imageUrl: 'https://pictures.example/red.png' }]
const choice = { name: 'Colour', values }
const payload = {
  name: 'Cup',
  price: '49.00',
  headerLogoUrl: ownLogo,
  imageUrl: 'cup.png',
  choice,
}
const added = await app.inject({ method: 'POST', url: apiRoutes.products, headers, payload })
const cup = added.json()
const idOf = (name: string): string =>
  cup.choice.values.find((value: { name: string }) => value.name === name).id

async function buy(name: string): Promise<string> {
  const buyer = createBuyer(shop, `203.0.113.${(visitors += 1)}`)
  const { checkoutId } = (await buyer.open(cup.id)).json()
  await buyer.saveDetails(checkoutId, { ...delivery, choice: idOf(name) })
  await payByCard(sandbox, checkoutId)
  return (await buyer.order(checkoutId)).json().id
}

const blue = await buy('Sky blue')
const red = await buy('Red')

async function read(id: string) {
  return (await app.inject({ url: pathOf(apiRoutes.order, { id }), headers })).json()
}

test('an order has the picture of its value, or else that of the product', async () => {
  assert.equal((await read(red)).product.imageUrl, 'https://pictures.example/red.png')
  assert.equal((await read(blue)).product.imageUrl, 'cup.png')
})

test('orders are found by what was chosen', async () => {
  const search = async (q: string) => {
    const found = await app.inject({
      url: `${apiRoutes.orders}?${new URLSearchParams({ q })}`,
      headers,
    })
    return found.json().map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await search('SKY cup'), [blue])
  assert.deepEqual(await search('sky'), [blue])
})

test('the export says what was chosen', async () => {
  const { body } = await app.inject({ url: apiRoutes.orderExport, headers })
  assert.deepEqual(body.match(/(?<=,)Colour: [^,]+(?=,)/g)?.toSorted(), [
    'Colour: Red',
    'Colour: Sky blue',
  ])
})

test('packing slips name the value, and it is picked by itself', async () => {
  const answer = await app.inject({ url: `${apiRoutes.paper}?ids=${blue},${red}`, headers })
  const names = answer.json().map(({ productName }: { productName: string }) => productName)
  assert.deepEqual(names.toSorted(), ['Cup · Red', 'Cup · Sky blue'])
})

test('analytics tell how often each value was bought, by its latest name', async () => {
  await buy('Red')
  const content = {
    ...payload,
    choice: { name: 'Colour', values: [{ id: idOf('Red'), name: 'Ruby' }] },
  }
  const url = pathOf(apiRoutes.product, { id: cup.id })
  await app.inject({ method: 'PUT', url, headers, payload: content })
  await buy('Red')
  const plain = createBuyer(shop, '203.0.113.99')
  const checkoutId = await plain.arrive(shop.mug)
  await payByCard(sandbox, checkoutId)
  await plain.order(checkoutId)
  const { topProducts } = (await app.inject({ url: apiRoutes.analyticsSummary, headers })).json()
  const [ofCup, ofMug] = topProducts
  assert.deepEqual(ofCup.values, [
    { value: 'Ruby', orders: 3 },
    { value: 'Sky blue', orders: 1 },
  ])
  assert.ok(!('values' in ofMug))
})

test('nobody gets what they did not choose because it was renamed meanwhile', async () => {
  const save = async (method: 'POST' | 'PUT', url: string, value: object) =>
    app.inject({
      method,
      url,
      headers,
      payload: { ...payload, choice: { name: 'Colour', values: [value] } },
    })
  const plate = (await save('POST', apiRoutes.products, { name: 'Blue' })).json()
  const [{ id: valueId }] = plate.choice.values
  const buyer = createBuyer(shop, `203.0.113.${(visitors += 1)}`)
  const { checkoutId } = (await buyer.open(plate.id)).json()
  await save('PUT', pathOf(apiRoutes.product, { id: plate.id }), { id: valueId, name: 'Black' })
  const shown = { ...delivery, choice: valueId, choiceName: 'Blue' }
  const refused = await buyer.saveDetails(checkoutId, shown)
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'choice-gone'])
  await payByCard(sandbox, checkoutId)
  assert.equal((await buyer.look(checkoutId)).json().reason, 'no-details')
  const paid = await buyer.saveDetails(checkoutId, shown)
  assert.equal(paid.statusCode, 204, 'what is paid is an order')
})
