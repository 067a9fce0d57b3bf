import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiRoutes } from '#contract/paths.ts'
import type { SetupStep, SetupStepName } from '#contract/shop-settings.ts'
import { hasGeneratedPassword } from '#server/admin/admins.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { attempt, type Check } from '#server/doctor/check.ts'
import { checkMail, checkPublicUrl } from '#server/doctor/outside-checks.ts'
import { getActor, hostOf, hostOfUrl } from '#server/http/access.ts'
import { rememberFor } from '#server/memoize.ts'
import type { Payments } from '#server/sumup/payments.ts'

type SetupDeps = { db: Db; config: Config; payments: Payments }

/** What a new shop still needs. Each step is looked at for real: nobody ticks anything off. */
export function mountSetup(app: FastifyInstance, deps: SetupDeps): void {
  const checks = createChecks(deps)

  app.get(apiRoutes.setup, { config: { access: 'admin' } }, async (request, reply) => {
    const [done, address, mail] = await Promise.all([
      readDone(deps, getActor(request).admin.id),
      checkAddress(deps.config, request, checks.askAddress),
      checkMailServer(deps.config, checks.askMail),
    ])
    const steps: SetupStep[] = [
      describeShop(deps.config),
      step('password', !done.isPasswordGenerated, {
        done: 'You chose your password yourself.',
        open: 'The first password stands in a file on the server. Choose one of your own.',
      }),
      step('product', done.hasProduct, {
        done: 'Your first product is there.',
        open: 'A name, a price and a logo are enough. Each product gets a checkout link.',
      }),
      step('test-order', done.hasOrder, {
        done: 'The first order has arrived.',
        open: 'Open the checkout link of your product and buy it as your customers will.',
      }),
      describeSumup(deps.payments),
      address,
      mail,
    ]
    return reply.header('cache-control', 'no-store').send(steps)
  })
}

function step(
  name: SetupStepName,
  isDone: boolean,
  { done, open }: { done: string; open: string },
): SetupStep {
  return { name, isDone, isChecking: false, text: isDone ? done : open }
}

async function readDone({ db }: SetupDeps, adminId: string) {
  const [isPasswordGenerated, { rows }] = await Promise.all([
    hasGeneratedPassword(db, adminId),
    db.execute<{ hasProduct: boolean; hasOrder: boolean }>(sql`select
      exists (select from products where deleted_at is null) as "hasProduct",
      exists (select from orders) as "hasOrder"`),
  ])
  return { isPasswordGenerated, hasProduct: false, hasOrder: false, ...rows[0] }
}

function describeShop({ shop }: Config): SetupStep {
  const missing = [!shop.name && 'a name', !shop.email && 'a contact address'].filter(Boolean)
  return step('shop', missing.length === 0, {
    done: `Buyers see that they buy from ${shop.name ?? ''}.`,
    open: `Buyers do not know yet from whom they buy: the shop needs ${missing.join(' and ')}.`,
  })
}

function describeSumup({ standInUrl, account }: Payments): SetupStep {
  const { isSandbox, isUnknown, problem } = account()
  const open = standInUrl
    ? 'Test mode: no money is taken. Connect your SumUp account to be paid.'
    : isSandbox
      ? 'A sandbox account of SumUp is connected: no money is taken. Connect your real account to be paid.'
      : (problem ?? 'SumUp has not answered yet.')
  const isDone = !standInUrl && isSandbox === false && !problem && !isUnknown
  return step('sumup', isDone, { done: 'SumUp accepts your key. The shop takes money.', open })
}

type Ask = () => Promise<Check>

/** How long an answer of another machine is good for. A changed setting is asked about at once. */
const answerMs = 30_000

function createChecks({ config }: SetupDeps): { askAddress: Ask; askMail: Ask } {
  return {
    askAddress: rememberFor(
      answerMs,
      () => attempt('address', () => checkPublicUrl(config, true)),
      () => config.publicUrl,
    ),
    askMail: rememberFor(
      answerMs,
      () => attempt('mail', () => checkMail(config, true)),
      () => config.mail.smtpUrl,
    ),
  }
}

async function checkAddress(config: Config, request: FastifyRequest, ask: Ask): Promise<SetupStep> {
  const { publicUrl } = config
  if (!publicUrl)
    return step('address', false, {
      done: '',
      open: 'Your checkout links work on this computer only. Tell the shop the address that your customers will use.',
    })
  const done = `Your shop is at ${publicUrl}.`
  // Whoever came by that address has shown that it leads here, also where this machine cannot reach it itself.
  const isEncrypted = publicUrl.startsWith('https:')
  if (isEncrypted && request.protocol === 'https' && hostOf(request) === hostOfUrl(publicUrl))
    return step('address', true, { done, open: '' })
  return checkOutside('address', ask, done)
}

async function checkMailServer({ mail }: Config, ask: Ask): Promise<SetupStep> {
  if (!mail.smtpUrl)
    return step('mail', false, {
      done: '',
      open: 'Receipts are kept as files instead of being sent. Tell the shop your mail server.',
    })
  return checkOutside('mail', ask, 'Your mail server accepts the shop.', ['ok', 'warn'])
}

/** Another machine may take its time: the card does not wait for it, and asks again. */
const patienceMs = 300

async function checkOutside(
  name: SetupStepName,
  ask: Ask,
  done: string,
  good: Check['status'][] = ['ok'],
): Promise<SetupStep> {
  const { promise: isLate, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), patienceMs)
  const answer = await Promise.race([ask(), isLate]).finally(() => clearTimeout(timer))
  if (!answer) return { name, isDone: false, isChecking: true, text: 'Checking…' }
  return step(name, good.includes(answer.status), { done, open: answer.found })
}
