import type { FastifyRequest } from 'fastify'
import { setup } from '#contract/answers/settings.ts'
import type { Setup, SetupStep } from '#contract/shop-settings.ts'
import { nobodysEmail } from '#server/config.ts'
import { settingsRowId, shopSettings, users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { demoPrefix, demoProductPrefix } from '#server/demo.ts'
import { getActor } from '#server/http/access.ts'
import { describeShortly, runChecks, type Facts, type Finding } from './check.ts'
import { checks } from './list.ts'
import { askOutside, type Outside } from './facts.ts'

type SetupDeps = { db: Db; collectFacts: () => Facts; outside: Outside }

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

const stepNames = setup.shape.steps.element.shape.name.options

async function listSteps(
  { collectFacts, outside }: SetupDeps,
  { isPasswordWeak, ...done }: Done,
  request: FastifyRequest,
): Promise<SetupStep[]> {
  const { admin } = getActor(request)
  const asked = askOutside(outside, request)
  const shown = checks.filter(({ shownIn }) => shownIn.step)
  const found = await runChecks(shown, {
    ...collectFacts(),
    admin,
    newShop: { ...done, hasOwnEmail: admin.email !== nobodysEmail },
    // The step is about the own password.
    findWeakAdmin: async () => (isPasswordWeak ? admin.username : undefined),
    askAddress: () => withPatience(() => asked.askAddress()),
    askMail: () => withPatience(() => asked.askMail()),
  })
  return stepNames.map((name) => {
    const findings = found.filter(({ shownIn }) => shownIn.step === name)
    const open = findings.find(({ level }) => level !== 'ok')
    const shownFinding = open ?? findings[0]
    return {
      name,
      isDone: open === undefined,
      isChecking: open?.isPending === true,
      text: shownFinding ? describeShortly(shownFinding) : '',
    }
  })
}

type Done = {
  isPasswordGenerated: boolean
  isPasswordWeak: boolean
  hasProduct: boolean
  hasOrder: boolean
}

/** Not what `npm run seed` made up. */
const isBought = sql`sumup_transaction_id is null or sumup_transaction_id not like ${`${demoPrefix}%`}`
const isOwnProduct = sql`deleted_at is null and id::text not like ${`${demoProductPrefix}%`}`

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

/** Another machine may take its time: the card does not wait for it, and asks again. */
const patienceMs = 300

async function withPatience(ask: () => Promise<Finding>): Promise<Finding> {
  const { promise: late, resolve } = Promise.withResolvers<Finding>()
  const pending: Finding = { level: 'note', title: 'Checking…', isPending: true }
  const timer = setTimeout(() => resolve(pending), patienceMs)
  return Promise.race([ask(), late]).finally(() => clearTimeout(timer))
}
