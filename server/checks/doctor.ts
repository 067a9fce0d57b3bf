import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { HealthCheck } from '#contract/products.ts'
import type { Config } from '#server/config.ts'
import { openSumup } from '#server/sumup/client.ts'
import { checkAccount, testAccount, type AccountState } from '#server/sumup/payments.ts'
import { askPublicUrl } from './addresses.ts'
import { isShopRunning } from './ask.ts'
import {
  attempt,
  describeFault,
  runChecks,
  showFinding,
  warn,
  type Check,
  type Facts,
  type Finding,
  type Machine,
  type OpenDatabase,
} from './check.ts'
import { collectFacts } from './facts.ts'
import { checks } from './list.ts'
import { askMailServer } from './mail.ts'

/**
 * Opens the database beside a running shop, or starts it for as long as the work takes. `readSaved` is what is in force
 * with the settings that the owner has saved there.
 */
export type WithDatabase = (
  work: (database: OpenDatabase & { readSaved?: () => Promise<Config> }) => Promise<void>,
) => Promise<void>

/** A line of the report, with all that the finding says. */
export type DoctorLine = HealthCheck & Pick<Finding, 'place' | 'setting' | 'howTo' | 'detail'>

/**
 * Looks at everything that a shop needs to take money, from where the shop stands, and changes nothing: one row in the
 * database, one file and one object are written and replaced or deleted. Beside a running shop and without one.
 */
export async function examineShop(
  configAtStart: Config,
  withDatabase: WithDatabase,
  readDisk: Machine['readDisk'] = statfs,
): Promise<DoctorLine[]> {
  const machine = { isRunning: await isShopRunning(configAtStart), readDisk, database: undefined }
  const { dataDir, databaseUrl } = configAtStart
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))) {
    const title = `There is none in ${dataDir} yet.`
    const databaseFault: Finding = warn(title, 'npm start creates it.')
    return examine(configAtStart, { ...machine, databaseFault })
  }
  let lines: DoctorLine[] | undefined
  try {
    await withDatabase(async ({ readSaved, ...database }) => {
      let config = configAtStart
      let settingsFault: unknown
      try {
        config = (await readSaved?.()) ?? config
      } catch (error) {
        settingsFault = error
      }
      lines = await examine(config, { ...machine, database, settingsFault })
    })
  } catch (error) {
    const todo = 'Mend that and ask the doctor again: the shop cannot start without it.'
    const databaseFault: Finding = { level: 'fail', title: describeFault(error), todo }
    lines ??= await examine(configAtStart, { ...machine, databaseFault })
  }
  return lines ?? []
}

async function examine(config: Config, machine: Machine): Promise<DoctorLine[]> {
  const shown = checks.filter(({ shownIn }) => shownIn.doctor)
  const found = await runChecks(shown.map(reportFault), collectDoctorFacts(config, machine))
  return found.map((finding) => {
    const { code: name, place, setting, howTo, detail } = finding
    return {
      name,
      ...showFinding(finding),
      ...(place && { place }),
      ...(setting && { setting }),
      ...(howTo && { howTo }),
      ...(detail && { detail }),
    }
  })
}

/** Makes a check that breaks a line of the report. */
function reportFault(check: Check): Check {
  return { ...check, find: (facts) => attempt(async () => check.find(facts)) }
}

export function collectDoctorFacts(config: Config, machine: Machine): Facts {
  const { payments, publicUrl } = config
  const { account } = payments
  const db = machine.database?.db
  let asked: Promise<AccountState> | undefined
  const askAccount = (): Promise<AccountState> | AccountState =>
    account
      ? (asked ??= checkAccount(
          openSumup({ apiUrl: payments.apiUrl, ...account }),
          payments.currency,
        ))
      : testAccount
  const known = { config, isSandbox: account === undefined, account: askAccount }
  return {
    ...(db ? collectFacts(known, db) : known),
    machine,
    askMail: () => askMailServer(config),
    ...(publicUrl && { askAddress: () => askPublicUrl(config, publicUrl, machine.isRunning) }),
  }
}
