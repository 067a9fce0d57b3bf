import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { describeStart } from './start-message.ts'
import { testAccount } from './sumup/payments.ts'

const live = { SUMUP_API_KEY: 'sup_sk_1234567890', SUMUP_MERCHANT_CODE: 'MH4H92C7' }

type First = { firstLogin?: { username: string; password: string }; isTerminal?: boolean }

function describe(
  environment: Record<string, string>,
  isSandbox: boolean | undefined,
  weakAdmin?: string,
  { firstLogin, isTerminal = false }: First = {},
): string {
  const account = () => ({ ...testAccount, isSandbox })
  const shop = {
    config: readConfig(environment),
    database: 'PostgreSQL',
    firstLogin,
    weakAdmin,
    payments: { account },
  }
  return describeStart(shop, isTerminal)
}

test('the start says whether money is taken, and of a sandbox account that none is', () => {
  assert.match(describe({}, true), /Payments {5}test mode: no money is taken until/)
  assert.match(describe(live, false), /Payments {5}live, SumUp account MH4H92C7/)
  assert.match(describe(live, true), /Payments {5}test mode: SumUp account MH4H92C7 is a sandbox/)
  assert.match(describe(live, undefined), /Payments {5}SumUp account MH4H92C7: SumUp has not told/)
})

test('the start warns loudly of an easy password, in test mode too', () => {
  for (const isSandbox of [true, false])
    assert.match(
      describe(live, isSandbox, 'ada'),
      /ATTENTION .*password of ada is easy to guess.*\n.*npm run admin -- reset ada/,
    )
  assert.doesNotMatch(describe(live, false), /ATTENTION/)
})

test('the first password is shown on a terminal; into a log goes only where it is', () => {
  const firstLogin = { username: 'owner', password: 'quiet-river' }
  const shown = describe({}, true, undefined, { firstLogin, isTerminal: true })
  assert.match(shown, /Password {5}quiet-river\n.*first-login\.txt/)
  const logged = describe({}, true, undefined, { firstLogin })
  assert.match(logged, /Password {5}in .*first-login\.txt/)
  assert.doesNotMatch(logged, /quiet-river/)
})
