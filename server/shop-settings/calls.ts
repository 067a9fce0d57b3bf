import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { passwordProofSchema } from '#contract/admin.ts'
import { currencyCodes, hasCents } from '#contract/currencies.ts'
import { toCents } from '#contract/money.ts'
import { settingsCheck, setup, shopSettings, sumupCheck } from '#contract/answers/settings.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { PictureUse } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import {
  addressCheckSchema,
  mailPreviewSchema,
  maxSettingsBytes,
  needsPassword,
  paymentCurrencies,
  provenSections,
  settingsChangeSchema,
  settingsSections,
  setupFoldingSchema,
  sumupCheckSchema,
  testMailSchema,
  type SettingsCheck,
  type SettingsSection,
  type ShopSettings,
  type SumupCheck,
} from '#contract/shop-settings.ts'
import { findWeakAdmin } from '#server/admin/admins.ts'
import { assertProof, proofRefusals } from '#server/admin/sign-in.ts'
import { askNewAddress } from '#server/checks/addresses.ts'
import { showFinding, type Facts } from '#server/checks/check.ts'
import type { Outside } from '#server/checks/facts.ts'
import { foldSetup, readSetup } from '#server/checks/setup.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { getZoneName } from '#server/db/time-zones.ts'
import { hostOfUrl } from '#server/hosts.ts'
import { getActor, hostOf } from '#server/http/access.ts'
import { recordAudit, type AdminActor } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import { mailFrameHeaders } from '#server/http/security-headers.ts'
import type { Log } from '#server/log.ts'
import { readMailSettings } from '#server/mail/compose.ts'
import { renderExample } from '#server/mail/example-mails.ts'
import { fixLook } from '#server/mail/render.ts'
import type { OwnCookie } from '#server/http/own-cookie.ts'
import { openSumup } from '#server/sumup/client.ts'
import { checkAccount, type AccountState, type Payments } from '#server/sumup/payments.ts'
import { sendTestMail, tellOldAddress } from './settings-mails.ts'
import type { LiveSettings } from './shop-settings.ts'

type SettingsDeps = {
  db: Db
  config: Config
  secret: string
  settings: LiveSettings
  cookie: OwnCookie
  log: Log
  payments: Payments
  collectFacts: () => Facts
  outside: Outside
  checkPictures: (uses: PictureUse[]) => Promise<void>
}

const call = callsOf<SettingsDeps>('Settings', 'admin')

/** Each makes the shop ask another machine. */
const checking = { config: { maxPerMinute: 10 } }

/**
 * Whether the password is needed depends on the rest of the body: so it may be missing here, and `assertProof` asks for
 * it where it is needed.
 */
const optionalProof = passwordProofSchema.partial().shape

export const settingsCalls = [
  call(`GET ${apiRoutes.settings}`, {
    summary: 'Reads the settings in force.',
    answers: { 200: shopSettings },
    handle: show,
  }),

  call(`PUT ${apiRoutes.settingsSection}`, {
    summary: 'Saves one section of the settings, which is in force at once.',
    note: `What is left out stays as it is. The sections ${new Intl.ListFormat('en-GB').format(provenSections)} need the password of the admin, and so does another contact email in the section shop; its old address is told by mail.`,
    body: settingsChangeSchema.extend(optionalProof),
    example: { version: 1, values: { vatRate: '19', vatNumber: 'DE123456789' } },
    answers: { 200: shopSettings },
    refusals: [
      'settings-missing',
      'settings-changed',
      'setting-fixed',
      'domain-in-use',
      'domains-alike',
      'address-unreachable',
      'mail-sender-missing',
      'mail-password-needed',
      'sumup-incomplete',
      'sumup-refused',
      'sumup-away',
      'sumup-currency',
      'admin-password-weak',
      ...proofRefusals,
    ],
    options: { bodyLimit: maxSettingsBytes },
    async handle(deps, { params, body, request, reply }) {
      const { db, log, settings, config, cookie, payments } = deps
      const section = parseSection(params.section)
      const { isForced } = body
      const actor = getActor(request)
      const session = cookie.read(request)
      const previous = await settings.save(section, body, actor, async (next, before) => {
        const isEmailChanged = next.shop.email !== before.shop.email
        if (needsPassword(section, { isEmailChanged })) await assertProof(db, actor, body)
        if (section === 'shop') {
          await deps.checkPictures([{ url: next.shop.logoUrl, kind: 'logo' }])
          await getZoneName(db, next.timeZone)
        }
        if (section === 'address') {
          assertNotClosed(next, request)
          if (!isForced) await assertReachable(before, next)
        }
        if (section === 'delivery') assertWholePrices(next, payments, 'delivery')
        if (section === 'sumup') {
          const isOtherCurrency = next.payments.currency !== before.payments.currency
          if (isOtherCurrency) assertWholePrices(next, payments, 'sumup')
          await assertAccount(db, actor, { before, next, isForced })
        }
      })
      if (section === 'sumup')
        await payments
          .follow()
          .catch((error: unknown) =>
            log.error({ err: error }, 'The SumUp account could not be changed; it is tried again'),
          )
      const { email: oldEmail } = previous.shop
      if (oldEmail && oldEmail !== config.shop.email)
        void tellOldAddress(
          { ...deps, config: previous, localOrigin: originOf(request) },
          { from: oldEmail, to: config.shop.email, adminName: actor.admin.username, log },
        )
      // With TLS the cookie has another name: whoever moves the shop to https stays signed in.
      if (session) cookie.set(request, reply, session)
      return show(deps)
    },
  }),

  call(`POST ${apiRoutes.testMail}`, {
    summary: 'Sends a test mail to the logged-in admin.',
    note: 'With values of the section mail they are tried out and not saved, which needs the password; otherwise what is saved is tried.',
    body: testMailSchema.extend(optionalProof),
    isBodyOptional: true,
    example: {},
    answers: { 200: settingsCheck },
    refusals: ['mail-sender-missing', 'mail-password-needed', 'setting-fixed', ...proofRefusals],
    options: checking,
    async handle(deps, { body, request }): Promise<SettingsCheck> {
      const { db, config, settings } = deps
      const { values } = body
      const actor = getActor(request)
      // Otherwise a borrowed session could send the shop to any machine of the network.
      if (values !== undefined) await assertProof(db, actor, body)
      const tried = values === undefined ? config : await settings.preview('mail', values)
      await recordAudit(db, actor, { action: 'test-mail-sent' })
      const sender = { ...deps, config: tried, localOrigin: originOf(request) }
      return sendTestMail(sender, actor.admin.email)
    },
  }),

  call(`GET ${apiRoutes.mailPreview}`, {
    summary: 'Shows a mail to a buyer, with an example instead of an order.',
    query: mailPreviewSchema,
    answers: { 200: 'text/html' },
    handle({ config, secret }, { query, request, reply }) {
      const settings = readMailSettings(config, { localOrigin: originOf(request), secret })
      const html = renderExample(query.kind, {
        ...settings,
        buyersLanguage: query.language ?? settings.buyersLanguage,
        openings: { ...settings.openings, [query.kind]: query.opening },
      })
      return reply
        .headers({ ...mailFrameHeaders, 'content-type': 'text/html; charset=utf-8' })
        .send(fixLook(html, query.look))
    },
  }),

  call(`POST ${apiRoutes.addressCheck}`, {
    summary: 'Looks whether an address leads to this shop.',
    note: 'An address that is not in force needs the password of the admin.',
    body: addressCheckSchema.extend(optionalProof),
    example: { kind: 'publicUrl', url: 'https://shop.example.com', password: '…' },
    answers: { 200: settingsCheck },
    refusals: proofRefusals,
    options: checking,
    async handle({ db, config }, { body, request }): Promise<SettingsCheck> {
      const { kind, url } = body
      if (!url) return { status: 'warn', found: 'There is no address to check yet.' }
      // How long the answer takes tells open ports from closed ones: not to a borrowed session.
      if (url !== config[kind]) await assertProof(db, getActor(request), body)
      return showFinding(await askNewAddress(config, kind, url))
    },
  }),

  call(`POST ${apiRoutes.sumupCheck}`, {
    summary: 'Asks SumUp about an account.',
    note: 'Without a key the one in use is tried; without a currency, the one in use.',
    body: sumupCheckSchema,
    example: { merchantCode: 'MC0X0ABC', apiKey: 'sup_sk_…', currency: 'EUR' },
    answers: { 200: sumupCheck },
    refusals: ['sumup-incomplete'],
    options: checking,
    async handle({ settings, config }, { body }): Promise<SumupCheck> {
      await settings.refresh()
      const { payments } = config
      const { merchantCode, apiKey = payments.account?.apiKey, currency } = body
      if (!merchantCode || !apiKey) throw new Refusal('sumup-incomplete')
      const wanted = { ...payments, currency: currency ?? payments.currency }
      const state = await askAccount({ ...config, payments: wanted }, { merchantCode, apiKey })
      const other = state.problem && paymentCurrencies.find((code) => code === state.currency)
      return { ...describeAccount(merchantCode, state), ...(other && { currency: other }) }
    },
  }),

  call(`GET ${apiRoutes.setup}`, {
    summary: 'Lists what a new shop still needs.',
    answers: { 200: setup },
    handle: (deps, { request }) => readSetup(deps, request),
  }),

  call(`PUT ${apiRoutes.setupFolding}`, {
    summary: 'Hides or shows the list of what the shop needs, for the logged-in admin.',
    body: setupFoldingSchema,
    example: { isFolded: true },
    answers: { 204: null },
    handle: ({ db }, { body, request }) => foldSetup(db, getActor(request).admin.id, body.isFolded),
  }),
]

function show(deps: SettingsDeps): ShopSettings {
  return { ...deps.settings.show(), account: describeOwn(deps) }
}

/** For links in mails while there is no public address. */
function originOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`
}

function parseSection(text: string): SettingsSection {
  const section = settingsSections.find((one) => one === text)
  if (!section) throw new Refusal('settings-missing')
  return section
}

/** A delivery price with cents cannot be charged in a currency that has none: nobody could buy. */
function assertWholePrices(
  { delivery, payments: { currency: wanted } }: Config,
  { account }: Payments,
  section: 'delivery' | 'sumup',
): void {
  const currency = wanted === 'product' ? account().currency : wanted
  const known = currencyCodes.find((code) => code === currency)
  const index = delivery.prices.findIndex(({ price }) => toCents(price) % 100 !== 0)
  if (!known || hasCents(known) || index < 0) return
  throw section === 'delivery'
    ? new Refusal('bad-request', {
        text: `${known} has no cents: please enter a whole amount.`,
        facts: { field: `prices.${index}.price` },
      })
    : new Refusal('bad-request', {
        text: `${known} has no cents, but delivery has a price with cents. Please change that one first.`,
        facts: { field: 'currency' },
      })
}

/** On the custom domain there is no back-office: the owner would lock themselves out. */
function assertNotClosed({ customDomain }: Config, request: FastifyRequest): void {
  if (customDomain && hostOfUrl(customDomain) === hostOf(request))
    throw new Refusal('domain-in-use')
}

/** A wrong address breaks links, and one with https closes the sign-in without. */
async function assertReachable(before: Config, next: Config): Promise<void> {
  for (const kind of ['publicUrl', 'customDomain'] as const) {
    const address = next[kind]
    if (!address || address === before[kind]) continue
    const { status, found, todo = '' } = showFinding(await askNewAddress(next, kind, address))
    if (status === 'fail')
      throw new Refusal('address-unreachable', {
        text: `${found} ${todo}`.trim(),
      })
  }
}

type Account = NonNullable<Config['payments']['account']>

function askAccount(
  { payments: { apiUrl, currency }, sumupTimeoutMs: timeoutMs }: Config,
  account: Account,
): Promise<AccountState> {
  return checkAccount(openSumup({ apiUrl, ...account, timeoutMs }), currency)
}

type AccountChange = { before: Config; next: Config; isForced: boolean }

/** SumUp itself is asked, so that nobody goes live with a typo. Only its silence can be overruled. */
async function assertAccount(
  db: Db,
  { admin }: AdminActor,
  { before, next, isForced }: AccountChange,
): Promise<void> {
  const { account, currency } = next.payments
  if (isDeepStrictEqual(next.payments, before.payments)) return
  if (!account) return
  const state = await askAccount(next, account)
  const { problem = '', mode, isUnknown } = state
  if (mode === undefined) {
    if (!isUnknown) throw new Refusal('sumup-refused', { text: problem })
    if (!isForced) throw new Refusal('sumup-away')
  } else if (problem) {
    const { PAYMENT_CURRENCY } = next.environment
    const todo = PAYMENT_CURRENCY
      ? `The environment of the shop sets that (PAYMENT_CURRENCY): change it there, or enter an account in ${currency}.`
      : `Please choose ${state.currency} as the payment currency, or enter an account in ${currency}.`
    const text = `This SumUp account is paid in ${state.currency}, but buyers are to be charged in ${currency}, so nobody could pay. ${todo}`
    throw new Refusal('sumup-currency', { text })
  }
  // What SumUp has not called a sandbox may take money.
  if (mode !== 'test') await assertStrongPasswords(db, admin.username)
}

async function assertStrongPasswords(db: Db, ownName: string): Promise<void> {
  const weak = await findWeakAdmin(db)
  if (!weak) return
  const [weakPassword, todo] =
    weak === ownName
      ? ['Your password', 'Please change it first, under Account.']
      : [`The password of ${weak}`, 'Please ask them to change it first, or disable them.']
  throw new Refusal('admin-password-weak', {
    text: `${weakPassword} is easy to guess, and this account takes real money. ${todo}`,
  })
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' })

function describeAccount(merchantCode: string, state: AccountState): SettingsCheck {
  const { problem, isUnknown, isRefusing, mode, country, currency } = state
  const name = country && /^[A-Z]{2}$/.test(country) ? countryNames.of(country) : country
  const facts = [name, currency && `paid in ${currency}`].filter(Boolean).join(', ')
  const account = `Account ${merchantCode}${facts && ` (${facts})`}`
  if (problem) {
    const found = problem
    const isOver = isRefusing || (mode === undefined && !isUnknown)
    return { status: isOver ? 'fail' : 'warn', found }
  }
  return mode === 'test'
    ? { status: 'warn', found: `${account} is a sandbox: test cards work, and no money moves.` }
    : { status: 'ok', found: `${account} takes real payments.` }
}

/** The account that the shop uses right now. */
function describeOwn({ payments }: SettingsDeps): SettingsCheck {
  const { sumup, sandboxUrl, account } = payments.pin()
  return sandboxUrl
    ? { status: 'warn', found: 'Test mode: buyers pay with test cards, and no money is taken.' }
    : describeAccount(sumup.merchantCode, account())
}
