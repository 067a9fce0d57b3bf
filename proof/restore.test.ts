import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { compareIfDue } from '#server/checkouts/compare.ts'
import { openEmptyDatabase, restore, sourceOf } from '#server/testing/backups.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { testSecret } from '#server/testing/test-shop.ts'
import { backUpUnderLoad, countBooked, findDifferences } from './restore.ts'

/* The short form of `npm run proof -- restore`: few orders, and within one process. */

test('a shop that is backed up while it sells is restored to that moment, and what was paid later comes back', async () => {
  const shop = await openSaleShop()
  let buyers = 0
  const arrive = async () => {
    buyers += 1
    const buyer = createBuyer(shop, `10.0.0.${buyers % 256}`)
    const checkoutId = await buyer.arrive(shop.mug)
    const pay = () => payByCard(shop.sandbox, checkoutId)
    return { pay, order: () => buyer.order(checkoutId) }
  }
  const seller = {
    async sell() {
      const { pay, order } = await arrive()
      await pay()
      assert.equal((await order()).statusCode, 201)
    },
    begin: async () => (await arrive()).pay,
  }
  const file = join(temporaryFolder(), 'shop.backup')
  const { hashes } = await backUpUnderLoad(sourceOf(shop.shop), file, seller)

  const target = await openEmptyDatabase()
  const { store } = shop.shop.pictures
  const place = { store, dataDir: temporaryFolder(), sessionSecret: testSecret }
  await restore({ ...place, pool: target.pool }, file)
  assert.deepEqual(await findDifferences(hashes, target.pool), [])

  const { transactions } = shop.sandbox.ledger()
  const before = await countBooked(target.db, transactions)
  assert.ok(before.lost >= 13, 'sales of before and after the backup were paid after it')
  await compareIfDue({ ...shop.settling, db: target.db })
  const after = await countBooked(target.db, transactions)
  assert.deepEqual([after.lost, after.doubled], [0, 0])
  assert.ok(after.orders - before.orders >= 5, 'sales that are in the backup become orders')
  assert.ok(after.review - before.review >= 8, 'the others stand in review')
})
