import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notice, settingsPlace } from '#contract/answers/admin.ts'
import { setup } from '#contract/answers/settings.ts'
import { defaultMethods, type MethodSettings } from '#contract/payment-methods.ts'
import { readConfig } from '#server/config.ts'
import { keyRefusedText, testAccount } from '#server/sumup/payments.ts'
import { judgeProxy } from './addresses.ts'
import { describeFault, runChecks, type Check, type Facts, type Level } from './check.ts'
import { checks } from './list.ts'

const config = readConfig({ PUBLIC_URL: 'https://shop.example.com', CUSTOM_DOMAIN: 'pay.example' })
const shop = { ...config.shop, name: 'Mugs', email: 'hello@mugs.example' }
const mail = { ...config.mail, smtpUrl: 'smtp://mail.example.com' }

/** A shop that takes money and lacks nothing. */
const healthy: Facts = {
  config: { ...config, shop, mail },
  isSandbox: false,
  account: () => ({ ...testAccount, mode: 'live' }),
}

type Config = Facts['config']
const withConfig = (change: { [Name in keyof Config]?: Config[Name] | undefined }) => ({
  config: { ...healthy.config, ...change } as Config,
})

/** What is found once this is known of the shop, such as "warn mail: Mails are not sent." */
async function find(change: Partial<Facts> = {}): Promise<string[]> {
  const found = await runChecks(checks, { ...healthy, ...change })
  return found.map(({ level, code, title }) => `${level} ${code}: ${title}`)
}

const sumupAnswers = (change: Partial<typeof testAccount>): Partial<Facts> => ({
  account: () => ({ ...testAccount, ...change }),
})
const isSandbox = { isSandbox: true, ...sumupAnswers({ mode: 'test' }) }
const account = 'ok SumUp: SumUp account  takes real payments.'
const restored = {
  backupAt: new Date('2026-11-16T03:00:00Z'),
  restoredAt: new Date(),
  comparedAt: null,
  foundOrders: 0,
  foundInReview: 0,
  isHeld: false,
  isComparable: true,
}

test('of a shop that lacks nothing only good things are found', async () => {
  assert.deepEqual(await find(), [account])
})

/** How a request arrives through a proxy that does all it should. */
const throughProxy = {
  peer: '10.0.0.5',
  isTrusted: true,
  hasForwardedFor: true,
  hasMoreHops: false,
  protocol: 'https',
}

/** What is known of the shop, and what is found then besides the account that takes payments. */
const troubles: [Partial<Facts>, found: RegExp][] = [
  [isSandbox, /^note test mode: Test mode: no money is taken\.$/],
  [sumupAnswers({ mode: 'test' }), /^note test mode: Test mode/],
  [sumupAnswers({ mode: 'live', problem: 'No key.' }), /^fail SumUp: Payments need your attention/],
  [sumupAnswers({ mode: 'live', problem: keyRefusedText }), /^fail SumUp: SumUp refuses your key/],
  [sumupAnswers({ mode: undefined }), /^warn SumUp: .* SumUp has not told yet/],
  [withConfig({ shop: { ...shop, name: undefined } }), /^urgent seller: .* without a name\.$/],
  [withConfig({ mail: config.mail }), /^warn mail: Mails are not sent\.$/],
  [withConfig({ customDomain: undefined }), /^warn custom domain: .* a domain of their own\.$/],
  [withConfig({ publicUrl: undefined }), /^warn public address: The shop has no public address/],
  [withConfig({ conflicts: ['domains-alike'] }), /^urgent settings in conflict: An address/],
  [withConfig({ conflicts: ['mail-sender-missing'] }), /^urgent settings in conflict: The mail/],
  [withConfig({ hints: ['PORTS is unknown.'] }), /^warn settings: PORTS is unknown\.$/],
  [
    { findWeakAdmin: async () => 'ada' },
    /^fail passwords: The password of ada is easy to guess\.$/,
  ],
  [{ isCardTestingAttack: async () => true }, /^urgent declined cards: .* stolen cards\.$/],
  [{ findCardFormChange: async () => new Date(0) }, /^urgent card form: .* on 1970-01-01\.$/],
  [{ findRestored: async () => restored }, /^urgent restore: This shop was restored/],
  [{ findGeoProblem: async () => 'GEOIP_DB: the file is gone' }, /^warn countries of visitors/],
  [
    { findBackupProblem: async () => ({ at: new Date(0), error: 'Full.', isWritten: false }) },
    /^fail backup: The backup of 1970-01-01 failed\.$/,
  ],
  [
    { findBackupProblem: async () => ({ at: new Date(0), error: 'Lost.', isWritten: true }) },
    /^urgent backup: The backup of 1970-01-01 is incomplete\.$/,
  ],
  [
    { ownRequest: { ...throughProxy, isTrusted: false } },
    /^warn visitors: All visitors look like one\.$/,
  ],
  [
    { findReplacedHost: () => '10.0.0.5' },
    /^urgent host names: Payment pages and this back-office are not kept apart\.$/,
  ],
]

test('each trouble is found once, with its level and its title', async () => {
  for (const [change, expected] of troubles) {
    const found = (await find(change)).filter((line) => line !== account)
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found.join(), expected)
  }
})

test('in test mode nobody is pressed: what a live shop lacks is a note, or is not asked for', async () => {
  const levels = async (change: Partial<Facts>): Promise<string[]> =>
    (await find({ ...change, ...isSandbox })).filter((line) => !line.startsWith('note test mode'))
  assert.deepEqual(await levels(withConfig({ shop: config.shop, customDomain: undefined })), [])
  assert.match((await levels(withConfig({ mail: config.mail }))).join(), /^note mail/)
  assert.match((await levels({ findWeakAdmin: async () => 'ada' })).join(), /^warn passwords/)
})

test('the texts of all findings name no variable, so that owners understand them', async () => {
  for (const [change] of troubles.filter(([change]) => !change.config?.hints.length))
    for (const { title, text, todo, code } of await runChecks(checks, { ...healthy, ...change }))
      assert.doesNotMatch(`${title} ${text} ${todo}`, /[A-Z]_[A-Z]/, code)
})

test('a new shop is asked for a password of its own, a product and an order', async () => {
  const newShop = {
    isPasswordGenerated: true,
    hasOwnEmail: false,
    hasProduct: false,
    hasOrder: false,
  }
  const found = (await find({ ...withConfig({ shop: config.shop }), newShop })).join('\n')
  for (const code of ['urgent seller', 'warn first password', 'note product', 'note test order'])
    assert.ok(found.includes(code), found)
})

test('what a way to pay beside the card lacks is found, with where to enter it', async () => {
  const tell = async (methods: Partial<MethodSettings>, publicUrl = config.publicUrl) => {
    const change = {
      customDomain: undefined,
      publicUrl,
      methods: { ...defaultMethods, ...methods },
    }
    return (await find({ ...isSandbox, ...withConfig(change) }))
      .filter((line) => line.includes('ways to pay'))
      .join()
  }
  assert.equal(await tell({ applePayFile: 'x' }), '', 'cards only')
  const all: MethodSettings = {
    otherMethods: ['apple_pay', 'google_pay', 'ideal'],
    applePayFile: '7B22',
    googlePayMerchantId: 'BCR2DN4TX7Q3RZ2K',
  }
  const fine = 'ok ways to pay: Beside the card: Apple Pay, Google Pay, iDEAL.'
  assert.equal(await tell(all), fine)
  assert.match(await tell({ ...all, applePayFile: null }), /^warn .* Apple Pay: Apple’s file/)
  assert.match(await tell({ ...all, googlePayMerchantId: null }), /^warn .* Google Pay: the mer/)
  for (const publicUrl of ['', 'http://shop.example.com'])
    assert.match(await tell(all, publicUrl), /^warn .*The address .* https/)
})

test('what the shop sees of a request through its proxy tells what the proxy lacks', () => {
  const origin = 'https://shop.example.com'
  const judge = (change: Partial<typeof throughProxy>, publicUrl = origin) => {
    const { level, todo = '', howTo = '' } = judgeProxy({ ...throughProxy, ...change }, publicUrl)
    return `${level} ${todo}${howTo}`
  }
  assert.equal(judge({}), 'ok ')
  assert.match(judge({ protocol: 'http' }), /^fail .*X-Forwarded-Proto/)
  assert.match(judge({ hasForwardedFor: false }), /^fail .*X-Forwarded-For/)
  assert.match(judge({ isTrusted: false }), /^fail .*TRUST_PROXY=10\.0\.0\.5/)
  assert.match(judge({ hasMoreHops: true }), /^fail .*TRUST_PROXY=2/)
  const direct = { hasForwardedFor: false, protocol: 'http' }
  assert.equal(judge(direct, 'http://shop.example.com'), 'ok ', 'there is no proxy')
})

test('a check is not asked once the one that it comes after has failed', async () => {
  const asked: string[] = []
  const check = (code: string, level: Level, after?: string): Check => ({
    code,
    shownIn: {},
    ...(after && { after }),
    find() {
      asked.push(code)
      return { level, title: code }
    },
  })
  const listed = [check('a', 'warn'), check('b', 'fail', 'a'), check('c', 'ok', 'b')]
  const found = await runChecks([...listed, check('d', 'ok', 'c')], healthy)
  assert.deepEqual(
    [asked, found.map(({ code }) => code)],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  )
})

test('every check has a code of its own, stands behind the one that it comes after, and is shown somewhere', () => {
  const codes = checks.map(({ code }) => code)
  assert.equal(new Set(codes).size, codes.length)
  for (const [index, { code, after, shownIn }] of checks.entries()) {
    assert.ok(after === undefined || codes.slice(0, index).includes(after), code)
    assert.notDeepEqual(shownIn, {}, code)
  }
})

test('every kind of notice and every step of the set-up has a check, and every place is one of the settings', async () => {
  const list = (name: 'notice' | 'step') =>
    new Set(checks.map(({ shownIn }) => shownIn[name]).filter((one) => one !== undefined))
  assert.deepEqual(list('notice'), new Set(notice.shape.kind.options))
  assert.deepEqual(list('step'), new Set(setup.shape.steps.element.shape.name.options))
  for (const [change] of troubles)
    for (const { place } of await runChecks(checks, { ...healthy, ...change }))
      assert.ok(place === undefined || settingsPlace.options.includes(place))
})

test('a fault is told once, with its code', () => {
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
  assert.equal(describeFault(denied), 'EACCES: permission denied')
  const refused = Object.assign(new Error('connection failed'), { code: 'ECONNREFUSED' })
  assert.equal(describeFault(refused), 'ECONNREFUSED: connection failed')
})
