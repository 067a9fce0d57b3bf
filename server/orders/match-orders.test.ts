import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MatchedOrders } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const { app, db, signIn } = await openTestShop()
const headers = await signIn()
const ids = {
  first: 'aaaaaaaa-0000-4000-8000-000000000001',
  second: 'aaaaaaaa-1000-4000-8000-000000000002',
  other: 'bbbbbbbb-0000-4000-8000-000000000003',
}
await addOrders(db, [
  { id: ids.first, number: 1042 },
  { id: ids.second },
  { id: ids.other, number: 1043 },
  // Its id begins like the number of another one.
  { id: '12345678-0000-4000-8000-000000000004' },
  { id: 'dddddddd-0000-4000-8000-000000000005', number: 12_345_678 },
])

const ask = (numbers: string) =>
  app.inject({ url: `${apiRoutes.matchedOrders}?numbers=${numbers}`, headers })

test('orders are found by the beginning of their numbers, in the order they were asked for', async () => {
  const matched: MatchedOrders[] = (
    await ask(`BBBBBBBB,${ids.first},aaaaaaaa,aaaaaaaa-1,cccccccc,bbbbbbbb0000`)
  ).json()
  assert.deepEqual(
    matched.map(({ asked, orders }) => [asked, ...orders.map(({ id }) => id)]),
    [
      ['BBBBBBBB', ids.other],
      [ids.first, ids.first],
      ['aaaaaaaa', ids.first, ids.second],
      ['aaaaaaaa-1', ids.second],
      ['cccccccc'],
      ['bbbbbbbb0000', ids.other],
    ],
  )
})

test('orders are found by their short numbers, and two are named where it is unclear which is meant', async () => {
  const matched: MatchedOrders[] = (await ask('1043,1042,9999,12345678')).json()
  assert.deepEqual(
    matched.map(({ orders }) => orders.map(({ id }) => id).slice(0, 1)),
    [[ids.other], [ids.first], [], ['12345678-0000-4000-8000-000000000004']],
  )
  assert.equal(matched[3]?.orders.length, 2)
})

test('what is no number, or too many, is refused', async () => {
  const many = Array.from({ length: 101 }, () => 'aaaaaaaa').join()
  for (const numbers of [
    '',
    'aaaaaaa',
    '104',
    '0104',
    'mug12345',
    'aaaaaaaa,',
    'aaaaaaaa%27',
    many,
  ]) {
    const answer = await ask(numbers)
    assert.equal(answer.statusCode, 400, numbers)
    assert.match(answer.json().message, /Send 1 to 100 order numbers/)
  }
})
