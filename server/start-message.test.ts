import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mode } from '#contract/mode.ts'
import { readConfig } from './config.ts'
import { describeStart } from './start-message.ts'
import { testAccount } from './sumup/payments.ts'

const live = { SUMUP_API_KEY: 'sup_sk_1234567890', SUMUP_MERCHANT_CODE: 'MH4H92C7' }

async function describe(
  environment: Record<string, string>,
  mode: Mode | undefined,
  weakAdmin?: string,
): Promise<string> {
  const config = readConfig(environment)
  const sandboxUrl = config.payments.account ? undefined : 'http://127.0.0.1:1'
  return describeStart({
    config,
    database: 'PostgreSQL',
    firstLogin: undefined,
    weakAdmin,
    payments: { sandboxUrl, account: () => ({ ...testAccount, mode }) },
  })
}

test('the start says whether money is taken, and what the shop needs to be found', async () => {
  assert.match(
    await describe({}, 'test'),
    /Payments {5}Test mode: no money is taken\. .*\n.*or with SUMUP_API_KEY and SUMUP_MERCHANT_CODE\n/,
  )
  assert.match(await describe(live, 'test'), /Payments {5}Test mode: .*your real account/)
  assert.match(await describe(live, 'live'), /Payments {5}SumUp account MH4H92C7 takes real pay/)
  assert.match(await describe(live, undefined), /Payments {5}SumUp account MH4H92C7: .* not told/)
  assert.match(
    await describe({}, 'test'),
    /Next {9}The shop has no public address: .*\n.*PUBLIC_URL/,
  )
  const PUBLIC_URL = 'https://shop.example.com'
  assert.doesNotMatch(await describe({ ...live, PUBLIC_URL }, 'live'), /Next/)
})

test('the start warns loudly of an easy password, in test mode too', async () => {
  for (const mode of ['test', 'live'] as const)
    assert.match(
      await describe(live, mode, 'ada'),
      /ATTENTION .*password of ada is easy to guess\. Change it .*\n.*npm run admin -- reset ada/,
    )
  assert.doesNotMatch(await describe(live, 'live'), /ATTENTION/)
})
