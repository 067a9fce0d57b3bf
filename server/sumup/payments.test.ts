import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { startSandbox } from '#sandbox/sandbox.ts'
import { pino } from 'pino'
import type { Mode } from '#contract/mode.ts'
import { readConfig } from '#server/config.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { patient } from '#server/testing/test-shop.ts'
import { patienceMs } from '#server/testing/wait-for.ts'
import { describeFormRefusal } from './form-refusals.ts'
import { SumupRefusal } from './http.ts'
import { checkAccount, openPayments } from './payments.ts'
import { openSumup } from './client.ts'
import { launchSandbox, stopSandbox, wasInTestMode } from './sandbox-process.ts'

async function check(options: {
  key?: string
  merchant?: string
  mode?: Mode
  currency?: 'EUR' | 'GBP'
}) {
  const sandbox = await startSandbox({ merchant: { sandbox: options.mode === 'test' } })
  after(() => sandbox.close())
  const account = {
    apiUrl: sandbox.url,
    apiKey: options.key ?? sandbox.apiKey,
    merchantCode: options.merchant ?? sandbox.merchantCode,
    timeoutMs: patienceMs,
  }
  return checkAccount(openSumup(account), options.currency ?? 'EUR')
}

test('an account that can be paid has no problem', async () => {
  assert.deepEqual(await check({}), {
    mode: 'live',
    problem: undefined,
    isUnknown: false,
    currency: 'EUR',
    country: 'DE',
  })
})

test('a sandbox account is known as one, so that its orders look like what they are', async () => {
  assert.equal((await check({ mode: 'test' })).mode, 'test')
})

test('a wrong key, a wrong account and a wrong currency are named', async () => {
  assert.match((await check({ key: 'sup_sk_other' })).problem ?? '', /the API key/)
  assert.match((await check({ merchant: 'MOTHER' })).problem ?? '', /the merchant code|refuses/)
  assert.match((await check({ currency: 'GBP' })).problem ?? '', /payment currency to EUR/)
})

test('a SumUp that does not answer is asked again, and says nothing of the account', async () => {
  const sumup = openSumup({ apiUrl: 'http://127.0.0.1:1', apiKey: 'x', merchantCode: 'M' })
  const { isUnknown, problem } = await checkAccount(sumup, 'EUR')
  assert.equal(isUnknown, true)
  assert.match(problem ?? '', /does not answer/)
  assert.doesNotMatch(problem ?? '', /work again/, 'it may never have worked')
})

/** An account at the sandbox, and the settings of a shop with it. */
async function openAccount(merchant: { sandbox: boolean }) {
  const sandbox = await startSandbox({ merchant })
  after(() => sandbox.close())
  const config = readConfig({
    DATA_DIR: temporaryFolder(),
    SUMUP_API_URL: sandbox.url,
    SUMUP_API_KEY: sandbox.apiKey,
    SUMUP_MERCHANT_CODE: sandbox.merchantCode,
  })
  return { sandbox, config: patient(config) }
}

test('a shop that starts while SumUp is silent knows its account from earlier sales, or asks before it sells', async () => {
  const { sandbox, config } = await openAccount({ sandbox: true })
  const open = async (known: Mode | undefined) => {
    const opened = new AsyncDisposableStack()
    after(() => opened.disposeAsync())
    sandbox.faults.set({ rules: [{ on: 'merchant', kind: 'error-500', count: 2 }] })
    return openPayments(config, pino({ level: 'silent' }), opened, {
      findMode: async (code) => {
        assert.equal(code, sandbox.merchantCode)
        return known
      },
    })
  }
  for (const known of ['test', 'live'] as const) {
    const payments = await open(known)
    assert.equal(payments.account().mode, known)
    assert.equal(payments.createClient().findMode(), known)
    assert.equal(await payments.getMode(), known)
  }
  const unknown = await open(undefined)
  assert.equal(unknown.account().mode, undefined)
  await assert.rejects(unknown.getMode(), { code: 'payments-away' })
  assert.equal(await unknown.getMode(), 'test', 'SumUp answers again')
  assert.equal(unknown.createClient().findMode(), 'test')
})

test('a key that may not read the account is named as that, and is not called refused', async () => {
  const { sandbox, config } = await openAccount({ sandbox: false })
  const opened = new AsyncDisposableStack()
  after(() => opened.disposeAsync())
  sandbox.faults.set({ rules: [{ on: 'merchant', kind: 'forbidden' }] })
  const payments = await openPayments(config, pino({ level: 'silent' }), opened)
  assert.match(payments.account().problem ?? '', /does not let the API key read the account/)
  assert.equal(payments.isKeyRefused(), false)
  await assert.rejects(payments.getMode(), { code: 'payments-away' })
  sandbox.faults.set({ rules: [] })
  assert.equal(await payments.getMode(), 'live')
  assert.equal(payments.account().problem, undefined)
})

test('a shop that was in test mode starts its sandbox early; with an account it ends, and none is started next time', async () => {
  const log = pino({ level: 'silent' })
  const { config } = await openAccount({ sandbox: false })
  const { dataDir } = config
  assert.equal(wasInTestMode(dataDir), false, 'a new shop')
  const first = new AsyncDisposableStack()
  const early = launchSandbox()
  const testConfig = patient(readConfig({ DATA_DIR: dataDir }))
  const payments = await openPayments(testConfig, log, first, { launchedSandbox: early })
  assert.equal((await payments.sumup.getMerchant()).sandbox, true)
  assert.equal(early.exitCode, null, 'it is the one in use')
  assert.equal(wasInTestMode(dataDir), true)
  await first.disposeAsync()
  assert.equal(early.exitCode, 0)

  await using second = new AsyncDisposableStack()
  const unused = launchSandbox()
  await openPayments(config, log, second, { launchedSandbox: unused })
  assert.equal(unused.signalCode, 'SIGTERM')
  assert.equal(wasInTestMode(dataDir), false)
})

test('a sandbox that ended before its settings came is told at once', async () => {
  const ended = launchSandbox()
  await stopSandbox(ended)
  await assert.rejects(
    openPayments(
      readConfig({ DATA_DIR: temporaryFolder() }),
      pino({ level: 'silent' }),
      new AsyncDisposableStack(),
      {
        launchedSandbox: ended,
      },
    ),
    /sandbox ended at its start \(SIGTERM\)/,
  )
})

test('the owner reads why SumUp creates no payment forms, until it does again', async () => {
  const { config } = await openAccount({ sandbox: false })
  const opened = new AsyncDisposableStack()
  after(() => opened.disposeAsync())
  const payments = await openPayments(config, pino({ level: 'silent' }), opened)
  const create = (change: object = {}) =>
    payments.createClient().createCheckout({
      reference: randomUUID(),
      amount: '49.00',
      currency: 'EUR',
      description: 'Mug',
      validUntil: new Date(Date.now() + 60_000),
      webhookUrl: undefined,
      ...change,
    })
  const refusals: [object, RegExp][] = [
    [{ webhookUrl: 'no address' }, /address of the shop/],
    [{ amount: '0.00' }, /does not take €0\.00/],
  ]
  for (const [change, words] of refusals) {
    await assert.rejects(create(change))
    assert.match(payments.account().problem ?? '', words)
    assert.equal(payments.account().isRefusing, true)
    await create()
    assert.equal(payments.account().problem, undefined)
  }
})

test('a refusal names the account or the clock where SumUp does', () => {
  const wanted = { amount: '49.00', currency: 'EUR', validUntil: new Date(0) }
  const describe = (status: number, param: string, text = 'Validation error') =>
    describeFormRefusal(new SumupRefusal(status, 'INVALID', text, param), wanted, 'M1')
  assert.match(describe(404, ''), /account M1/)
  assert.match(describe(400, 'merchant_code'), /account M1/)
  assert.match(describe(400, 'valid_until'), /1970.*clock of the server/)
  const ofCurrency = 'Given currency differs from merchant’s country currency'
  assert.match(describe(400, '', ofCurrency), /does not take €49\.00/)
  assert.match(describe(400, ''), /refuses to take payments.*Validation error/)
})
