import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mode } from '#contract/mode.ts'
import { readConfig } from './config.ts'
import { describeStart } from './start-message.ts'
import { testAccount } from './sumup/payments.ts'

const live = { SUMUP_API_KEY: 'sup_sk_1234567890', SUMUP_MERCHANT_CODE: 'MH4H92C7' }

function describe(
  environment: Record<string, string>,
  mode: Mode | undefined,
  weakAdmin?: string,
): string {
  const account = () => ({ ...testAccount, mode })
  return describeStart({
    config: readConfig(environment),
    database: 'PostgreSQL',
    firstLogin: undefined,
    weakAdmin,
    payments: { account },
  })
}

test('the start says whether money is taken, and of a sandbox account that none is', () => {
  assert.match(describe({}, 'test'), /Payments {5}test mode: no money is taken until/)
  assert.match(describe(live, 'live'), /Payments {5}live, SumUp account MH4H92C7/)
  assert.match(describe(live, 'test'), /Payments {5}test mode: SumUp account MH4H92C7 is a sandbox/)
  assert.match(describe(live, undefined), /Payments {5}SumUp account MH4H92C7: SumUp has not told/)
})

test('the start warns loudly of an easy password, in test mode too', () => {
  for (const mode of ['test', 'live'] as const)
    assert.match(
      describe(live, mode, 'ada'),
      /ATTENTION .*password of ada is easy to guess.*\n.*npm run admin -- reset ada/,
    )
  assert.doesNotMatch(describe(live, 'live'), /ATTENTION/)
})
