import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiRoutes, pages } from '#contract/paths.ts'
import type { PictureUse } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import {
  addressCheckSchema,
  settingsChangeSchema,
  settingsSections,
  type SettingsCheck,
  type SettingsSection,
} from '#contract/shop-settings.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Check } from '#server/doctor/check.ts'
import { checkCustomDomain, checkPublicUrl } from '#server/doctor/outside-checks.ts'
import { getActor, hostOf, hostOfUrl } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import type { OwnCookie } from '#server/http/own-cookie.ts'
import { createMailbox, createMessage, oneLine, readMailSettings } from '#server/mail/messages.ts'
import { createTransport, describeMailError } from '#server/mail/transport.ts'
import type { LiveSettings } from './shop-settings.ts'

type SettingsDeps = {
  db: Db
  config: Config
  secret: string
  settings: LiveSettings
  cookie: OwnCookie
  checkPictures: (uses: PictureUse[]) => Promise<void>
}

const admin = { config: { access: 'admin' } } as const
/** Each makes the shop ask another machine. */
const checking = { config: { access: 'admin', maxPerMinute: 10 } } as const

type OfSection = { Params: { section: string } }

export function mountShopSettings(app: FastifyInstance, deps: SettingsDeps): void {
  const { settings, config, cookie } = deps

  app.get(apiRoutes.settings, admin, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(settings.show()),
  )

  app.put<OfSection>(apiRoutes.settingsSection, admin, async (request, reply) => {
    const section = parseSection(request.params.section)
    const change = settingsChangeSchema.parse(request.body)
    const next = settings.preview(section, change.values)
    if (section === 'shop') await deps.checkPictures([{ url: next.shop.logoUrl, kind: 'logo' }])
    if (section === 'address') {
      assertNotClosed(next, request)
      if (!change.isForced) await assertReachable(config, next)
    }
    const session = cookie.read(request)
    await settings.save(section, change, getActor(request))
    // With TLS the cookie has another name: whoever moves the shop to https stays signed in.
    if (session) cookie.set(request, reply, session)
    return reply.header('cache-control', 'no-store').send(settings.show())
  })

  app.post(apiRoutes.addressCheck, checking, async (request): Promise<SettingsCheck> => {
    const { kind, url } = addressCheckSchema.parse(request.body)
    const next = { ...config, [kind]: url ?? undefined }
    return showCheck(await checkAddresses(next, kind))
  })

  app.post(apiRoutes.testMail, checking, async (request): Promise<SettingsCheck> => {
    const actor = getActor(request)
    await recordAudit(deps.db, actor, { action: 'test-mail-sent' })
    const localOrigin = `${request.protocol}://${request.host}`
    return sendTestMail(deps, actor.admin.email, localOrigin)
  })
}

function parseSection(text: string): SettingsSection {
  const section = settingsSections.find((one) => one === text)
  if (!section) throw new Refusal('settings-missing')
  return section
}

/** On the custom domain there is no back-office: the owner would lock themselves out. */
function assertNotClosed({ customDomain }: Config, request: FastifyRequest): void {
  if (customDomain && hostOfUrl(customDomain) === hostOf(request))
    throw new Refusal('domain-in-use')
}

/** A wrong address breaks links, and one with https closes the sign-in without. */
async function assertReachable(before: Config, next: Config): Promise<void> {
  for (const kind of ['publicUrl', 'customDomain'] as const) {
    if (!next[kind] || next[kind] === before[kind]) continue
    const { status, found, todo = '' } = await checkAddresses(next, kind)
    if (status === 'fail')
      throw new Refusal('address-unreachable', { text: `${found} ${todo}`.trim() })
  }
}

type AddressKind = 'publicUrl' | 'customDomain'

function checkAddresses(config: Config, kind: AddressKind): Promise<Check> {
  // The custom domain is only told apart once it is saved.
  return kind === 'publicUrl'
    ? checkPublicUrl(config, true)
    : checkCustomDomain(config, { isRunning: true, isLive: false, isSaved: false })
}

function showCheck({ status, found, todo }: Check): SettingsCheck {
  return { status, found, ...(todo !== undefined && { todo }) }
}

/** As saved, to the admin who asks: nobody else can be written to from here. */
async function sendTestMail(
  { config, secret }: SettingsDeps,
  to: string,
  localOrigin: string,
): Promise<SettingsCheck> {
  if (!config.mail.smtpUrl)
    return {
      status: 'warn',
      found: 'There is no mail server, so nothing was sent.',
      todo: 'Enter one and save it first.',
    }
  const settings = readMailSettings(config, { localOrigin, secret })
  const id = randomUUID()
  const shopName = oneLine(settings.shopName ?? 'Till')
  const message = createMessage(id, settings, {
    to: createMailbox(to, shopName),
    replyTo: undefined,
    subject: `A test mail of ${shopName}`,
    content: {
      shopName,
      logo: undefined,
      preview: 'Your shop can send mails.',
      title: 'It works',
      lead: 'Your shop can send mails: this is one. Nobody else got it.',
      order: undefined,
      sections: [],
      steps: [
        'Look whether it is in the spam folder; if so, ask your mail provider about SPF and DKIM.',
      ],
      button: { label: 'Open the back-office', url: `${settings.origin}${pages.products}` },
      closing: undefined,
    },
  })
  const transport = createTransport(config)
  try {
    await transport.send(message, { id, kind: 'test', createdAt: new Date() })
    return {
      status: 'ok',
      found: `The mail server took a mail to ${to}. Please look whether it arrives.`,
    }
  } catch (error) {
    return {
      status: 'fail',
      found: `The mail server did not take it: ${describeMailError(error)}`,
      todo: 'Check the server, its port and encryption, and the user name and password.',
    }
  } finally {
    transport.close()
  }
}
