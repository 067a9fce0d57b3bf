import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import type { SettingsCheck } from '#contract/shop-settings.ts'
import { auditLog, shopSettings } from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import {
  assertOrdered,
  accounts,
  connect,
  openChangingShop,
  password,
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
    assert.equal(shop.node.shop.payments.account().mode, 'test')
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
  assert.equal(moved.shop.payments.sandboxUrl, undefined)
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

const british = { merchantCode: 'MGBP', apiKey: 'sup_sk_of_gb' }

function openBritishAccount({ sumup }: ChangingShop): void {
  const { apiKey, merchantCode: code } = british
  const merchant = { code, sandbox: false, currency: 'GBP', country: 'GB' } as const
  sumup.controls.addAccount({ apiKey, merchant })
}

test('an account in another currency is connected with that currency, which the check proposes', async () => {
  const shop = await openChangingShop()
  openBritishAccount(shop)
  const check = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.sumupCheck,
    headers: await shop.signIn(),
    payload: { ...british, currency: 'EUR' },
  })
  assert.partialDeepStrictEqual(check.json(), { status: 'warn', currency: 'GBP' })
  const refused = await saveAccount(shop, { ...british, currency: 'EUR' }, { isForced: true })
  assert.equal(refused.json().code, 'sumup-currency')
  assert.match(refused.json().message, /paid in GBP.*charged in EUR.*choose GBP/)
  assert.equal((await saveAccount(shop, british)).json().code, 'sumup-currency', 'EUR by default')
  const { payments } = shop.node.shop
  assert.ok(payments.sandboxUrl, 'nothing was saved')

  const saved = await saveAccount(shop, { ...british, currency: 'GBP' })
  assert.equal(saved.statusCode, 200, saved.body)
  assert.equal(saved.json().values.sumup.currency, 'GBP')
  assert.deepEqual([payments.currency, payments.account().problem], ['GBP', undefined])
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug, '49.00', 'GBP')).json()
  await buyer.saveDetails(checkoutId)
  await payByCard(shop.sumup, checkoutId)
  assertOrdered(await buyer.order(checkoutId))
  const [order] = await shop.db.select().from(orders)
  assert.deepEqual([order?.amount, order?.currency], ['49.00', 'GBP'])
  const other = await shop.startNode()
  assert.equal(other.shop.payments.currency, 'GBP', 'a further node too')
})

test('the currency of the environment wins, and an account that does not fit it is refused', async () => {
  const shop = await openChangingShop({ PAYMENT_CURRENCY: 'EUR' })
  openBritishAccount(shop)
  assert.equal((await readSettings(shop)).fixed['sumup.currency'], 'PAYMENT_CURRENCY')
  const changed = await saveAccount(shop, { ...british, currency: 'GBP' })
  assert.equal(changed.json().code, 'setting-fixed')
  const refused = await saveAccount(shop, { ...british, currency: 'EUR' })
  assert.equal(refused.json().code, 'sumup-currency')
  assert.match(refused.json().message, /PAYMENT_CURRENCY/)
})

test('a new currency never changes what a buyer has agreed to pay', async () => {
  const shop = await openChangingShop()
  const { payments } = shop.node.shop
  const typing = createBuyer(shop, '203.0.113.1')
  const checkoutId = await typing.arrive(shop.mug)
  const changed = await saveAccount(shop, { ...accounts.test, currency: 'GBP' })
  assert.equal(changed.statusCode, 200, changed.body)

  const looking = createBuyer(shop, '203.0.113.2')
  assert.equal((await looking.open(shop.mug)).json().code, 'price-changed', 'a page in euro')
  const page = (await looking.call('GET', checkoutPath(shop.mug))).body
  assert.match(page, />GBP<.{1,20}>£49\.00</, 'the total')
  assert.equal((await looking.open(shop.mug, '49.00', 'GBP')).statusCode, 200)

  await payByCard({ url: payments.sandboxUrl ?? '' }, checkoutId)
  assertOrdered(await typing.order(checkoutId))
  const [order] = await shop.db.select().from(orders)
  assert.equal(order?.currency, 'EUR', 'the form that was open')
})

test('no account that takes money is connected while an admin has an easy password', async () => {
  const easy = 'password1'
  const shop = await openChangingShop({ ADMIN_PASSWORD: easy })
  const refused = await saveAccount(shop, accounts.A, { password: easy })
  assert.equal(refused.json().code, 'admin-password-weak')
  assert.match(refused.json().message, /^Your password is easy to guess.*under Account/)
  shop.sumup.faults.set({ rules: [{ on: 'merchant', kind: 'error-500' }] })
  const forced = await saveAccount(shop, accounts.A, { password: easy, isForced: true })
  assert.equal(forced.json().code, 'admin-password-weak', 'it may take money')
  shop.sumup.faults.clear()
  const sandbox = await saveAccount(shop, accounts.sandbox, { password: easy })
  assert.equal(sandbox.statusCode, 200, sandbox.body)

  const changed = await shop.app.inject({
    method: 'PUT',
    url: apiRoutes.ownPassword,
    headers: await shop.signIn(),
    payload: { currentPassword: easy, newPassword: password },
  })
  assert.equal(changed.statusCode, 204, changed.body)
  assert.equal((await saveAccount(shop, accounts.A)).statusCode, 200)
  const further = await shop.startNode()
  assert.equal(further.shop.payments.account().mode, 'live', 'a further node starts')
})

test('an account that this version cannot understand is no test mode', async () => {
  const shop = await openChangingShop()
  await connect(shop, 'A')
  for (const values of [
    { merchantCode: 'MAAA-of-the-future', apiKey: 'sealed in another way' },
    { code: 'MAAA', key: 'x' },
  ]) {
    await shop.db.execute(sql`update shop_settings set version = version + 1,
      values = jsonb_set(values, '{sumup}', ${JSON.stringify(values)}::jsonb)`)
    const { payments } = shop.node.shop
    await payments.follow()
    assert.equal(payments.sandboxUrl, undefined)
    assert.match(payments.account().problem ?? '', /does not accept/)
    assert.equal((await readSettings(shop)).secrets.sumup, 'unreadable')
    assert.equal((await createBuyer(shop).open(shop.mug)).json().code, 'payments-away')
  }
  await connect(shop, 'A')
  assert.equal((await createBuyer(shop).open(shop.mug)).statusCode, 200, 'entered again')
})
