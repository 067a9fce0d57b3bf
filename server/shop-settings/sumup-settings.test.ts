import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import type { SettingsCheck } from '#contract/shop-settings.ts'
import { auditLog, shopSettings } from '#server/db/admin-schema.ts'
import { createBuyer } from '#server/testing/buyer.ts'
import {
  accounts,
  connect,
  openChangingShop,
  readSettings,
  saveAccount,
  type ChangingShop,
} from '#server/testing/changing-shop.ts'
import { startShop } from '#server/testing/started-shop.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'

test('a key or a code that SumUp does not know is refused; only its silence can be overruled', async () => {
  const shop = await openChangingShop()
  const refuse = async (values: object, code: string, text: RegExp, more: object = {}) => {
    const refused = await saveAccount(shop, values, more)
    assert.equal(refused.json().code, code, refused.body)
    assert.match(refused.json().message, text)
    assert.equal(shop.node.shop.payments.account().isSandbox, true)
  }
  const wrong = { merchantCode: 'MAAA', apiKey: 'sup_sk_wrong' }
  const forced = { isForced: true }
  await refuse(wrong, 'sumup-refused', /does not accept the API key/, forced)
  const unknown = { ...accounts.A, merchantCode: 'MXXX' }
  await refuse(unknown, 'sumup-refused', /merchant code|API key/, forced)
  await refuse({ merchantCode: 'MAAA' }, 'sumup-incomplete', /both/)
  await refuse({ merchantCode: null, apiKey: 'sup_sk_x' }, 'sumup-incomplete', /both/)
  await refuse(accounts.A, 'wrong-password', /not right/, { password: 'another' })
  assert.equal((await saveAccount(shop, accounts.A, { password: undefined })).statusCode, 400)
  assert.equal((await saveAccount(shop, { ...accounts.A, apiKey: 'sup_pk_x' })).statusCode, 400)

  const check = async (values: object): Promise<SettingsCheck> =>
    (
      await shop.app.inject({
        method: 'POST',
        url: apiRoutes.sumupCheck,
        headers: await shop.signIn(),
        payload: values,
      })
    ).json()
  assert.partialDeepStrictEqual(await check(wrong), { status: 'fail' })
  assert.match((await check(accounts.A)).found, /MAAA \(Germany, paid in EUR\) takes real payments/)
  assert.match((await check(accounts.sandbox)).found, /sandbox/)

  shop.sumup.faults.set({ rules: [{ on: 'merchant', kind: 'error-500' }] })
  await refuse(accounts.A, 'sumup-away', /does not answer/)
  assert.equal((await saveAccount(shop, accounts.A, forced)).statusCode, 200)
  const buyer = createBuyer(shop)
  assert.equal((await buyer.open(shop.mug)).json().code, 'payments-away', 'live or not: unknown')
  shop.sumup.faults.clear()
  assert.equal((await buyer.open(shop.mug)).statusCode, 200)
})

test('the key is encrypted, never shown again and in no log, and one that cannot be read is no test mode', async () => {
  const shop = await openChangingShop()
  await connect(shop, 'A')
  assert.equal((await saveAccount(shop, { merchantCode: 'MAAA' })).statusCode, 200, 'the key stays')
  const shown = await readSettings(shop)
  assert.equal(shown.secrets.sumup, 'saved')
  const rows = [
    await shop.db.select().from(shopSettings),
    await shop.db.select({ subject: auditLog.subject, detail: auditLog.detail }).from(auditLog),
  ]
  for (const text of [JSON.stringify(shown), JSON.stringify(rows)])
    assert.ok(!text.includes(accounts.A.apiKey), text)
  assert.ok(JSON.stringify(rows).includes('MAAA'), 'who changed what is in the log')

  await shop.close()
  const moved = await openMoved(shop)
  assert.equal((await readSettings(moved)).secrets.sumup, 'unreadable')
  assert.equal(moved.shop.payments.standInUrl, undefined)
  assert.match(moved.shop.payments.account().problem ?? '', /does not accept/)
  const buyer = createBuyer(moved)
  assert.equal((await buyer.open(shop.mug)).json().code, 'payments-away')
})

/** The same database with another secret. */
function openMoved({ node }: ChangingShop) {
  const { databaseUrl = '', payments } = node.shop.config
  return startShop({
    DATABASE_URL: databaseUrl,
    DATA_DIR: temporaryFolder(),
    SESSION_SECRET: 'another secret than the one before it',
    SUMUP_API_URL: payments.apiUrl,
  })
}

test('an account of the environment is shown and cannot be changed', async () => {
  const shop = await openChangingShop({
    SUMUP_API_KEY: accounts.A.apiKey,
    SUMUP_MERCHANT_CODE: accounts.A.merchantCode,
  })
  const { values, fixed } = await readSettings(shop)
  assert.equal(values.sumup.merchantCode, 'MAAA')
  assert.deepEqual(
    [fixed['sumup.merchantCode'], fixed['sumup.apiKey']],
    ['SUMUP_MERCHANT_CODE', 'SUMUP_API_KEY'],
  )
  for (const account of ['B', 'test'] as const) {
    const refused = await saveAccount(shop, accounts[account])
    assert.equal(refused.json().code, 'setting-fixed', refused.body)
  }
  assert.equal(shop.node.shop.payments.sumup.merchantCode, 'MAAA')
})
