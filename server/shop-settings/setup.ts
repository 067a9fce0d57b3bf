import type { FastifyRequest } from 'fastify'
import type { Setup, SetupStep, SetupStepName } from '#contract/shop-settings.ts'
import { nobodysEmail, type Config } from '#server/config.ts'
import { settingsRowId, shopSettings, users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { attempt, type Check } from '#server/doctor/check.ts'
import { checkMail, checkPublicUrl } from '#server/doctor/outside-checks.ts'
import { getActor, isAskedThrough } from '#server/http/access.ts'
import { rememberFor } from '#server/memoize.ts'
import type { Payments } from '#server/sumup/payments.ts'

type SetupDeps = { db: Db; config: Config; payments: Payments; setupChecks: SetupChecks }

/** What a new shop still needs. Each step is looked at for real: nobody ticks anything off. */
export async function readSetup(deps: SetupDeps, request: FastifyRequest): Promise<Setup> {
  const { isSetUp, isFolded, ...done } = await readDone(deps.db, getActor(request).admin.id)
  const steps = isSetUp ? [] : await listSteps(deps, done, request)
  if (!isSetUp && steps.every(({ isDone }) => isDone)) await markSetUp(deps.db)
  return { steps, isFolded }
}

export async function foldSetup(db: Db, adminId: string, isFolded: boolean): Promise<void> {
  await db.update(users).set({ foldsSetup: isFolded }).where(eq(users.id, adminId))
}

async function listSteps(deps: SetupDeps, done: Done, request: FastifyRequest) {
  const { config, payments, setupChecks } = deps
  const [address, mail] = await Promise.all([
    checkAddress(config, request, setupChecks.askAddress),
    checkMailServer(config, setupChecks.askMail),
  ])
  return [
    describeShop(config),
    step('password', !done.isPasswordGenerated && !done.isPasswordWeak, {
      done: 'You chose your password yourself.',
      open: done.isPasswordGenerated
        ? `The first password stands in a file on the server. Choose one of your own${hasOwnEmail(request) ? '' : ', and enter your email address'}.`
        : 'Your password is easy to guess. Choose a stronger one.',
    }),
    step('product', done.hasProduct, {
      done: 'Your first product is there.',
      open: 'A name, a price and a logo are enough. Each product gets a checkout link.',
    }),
    step('test-order', done.hasOrder, {
      done: 'The first order has arrived.',
      open: 'Open the checkout of your product and buy it, as your customers will.',
    }),
    describeSumup(payments),
    address,
    mail,
  ]
}

function hasOwnEmail(request: FastifyRequest): boolean {
  return getActor(request).admin.email !== nobodysEmail
}

type Done = {
  isPasswordGenerated: boolean
  isPasswordWeak: boolean
  hasProduct: boolean
  hasOrder: boolean
}

/** Not what `npm run seed` made up. */
const isBought = sql`sumup_transaction_id is null or sumup_transaction_id not like 'demo-%'`
const isOwnProduct = sql`deleted_at is null and id::text not like 'de300000-0000-4000-a000-%'`

async function readDone(db: Db, adminId: string) {
  const { rows } = await db.execute<Done & { isSetUp: boolean; isFolded: boolean }>(sql`select
    exists (select from shop_settings where set_up_at is not null) as "isSetUp",
    (select folds_setup from users where id = ${adminId}) as "isFolded",
    exists (select from credentials where user_id = ${adminId} and is_generated) as "isPasswordGenerated",
    exists (select from credentials where user_id = ${adminId} and is_weak) as "isPasswordWeak",
    exists (select from products where ${isOwnProduct}) as "hasProduct",
    exists (select from orders where ${isBought}) as "hasOrder"`)
  const [found] = rows
  if (!found) throw new Error('reading the set-up returned no row')
  return found
}

/** Once the shop is set up, the card that helps with it is gone for good: what breaks later is told by notices. */
async function markSetUp(db: Db): Promise<void> {
  const setUpAt = sql`now()`
  await db
    .insert(shopSettings)
    .values({ id: settingsRowId, version: 0, values: {}, setUpAt })
    .onConflictDoUpdate({ target: shopSettings.id, set: { setUpAt } })
}

function step(
  name: SetupStepName,
  isDone: boolean,
  { done, open }: { done: string; open: string },
): SetupStep {
  return { name, isDone, isChecking: false, text: isDone ? done : open }
}

function describeShop({ shop }: Config): SetupStep {
  const missing = [!shop.name && 'a name', !shop.email && 'a contact address'].filter(Boolean)
  return step('shop', missing.length === 0, {
    done: `Buyers see that they buy from ${shop.name ?? ''}.`,
    open: `Buyers do not know yet from whom they buy: the shop needs ${missing.join(' and ')}.`,
  })
}

function describeSumup({ sandboxUrl, account }: Payments): SetupStep {
  const { mode, isUnknown, problem } = account()
  const isDone = mode === 'live' && !problem && !isUnknown
  const open =
    mode !== 'test'
      ? (problem ?? 'SumUp has not answered yet.')
      : sandboxUrl
        ? 'Test mode: no money is taken. Connect your SumUp account to be paid.'
        : 'A sandbox account of SumUp is connected: no money is taken. Connect your real account to be paid.'
  return step('sumup', isDone, { done: 'SumUp accepts your key. The shop takes money.', open })
}

type Ask = () => Promise<Check>

/** How long an answer of another machine is good for. A changed setting is asked about at once. */
const answerMs = 30_000

export type SetupChecks = { askAddress: Ask; askMail: Ask }

/** Questions to other machines, whose answers all requests share. */
export function openSetupChecks({ config }: { config: Config }): SetupChecks {
  const askAddress = rememberFor(answerMs, (_publicUrl: string | undefined) =>
    attempt('address', () => checkPublicUrl(config, true)),
  )
  const askMail = rememberFor(answerMs, (_smtpUrl: string | undefined) =>
    attempt('mail', () => checkMail(config, true)),
  )
  return {
    askAddress: () => askAddress(config.publicUrl),
    askMail: () => askMail(config.mail.smtpUrl),
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
  if (isAskedThrough(request, publicUrl)) return step('address', true, { done, open: '' })
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
