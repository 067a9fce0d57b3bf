import { CannotStart } from '#server/cannot-start.ts'
import { readConfig, type Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { fail, type Check } from '#server/doctor/check.ts'
import { examineShop } from '#server/doctor/doctor.ts'
import { findSecret } from '#server/secret.ts'
import { readSavedConfig } from '#server/shop-settings/shop-settings.ts'
import { runCommand, withShopDatabase } from '#tools/command.ts'

/* `npm run doctor`: what works, what does not and what to do about it. Exits with 1 if something fails; `-- --json` for programs. */

const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' }

await runCommand(async () => {
  const args = process.argv.slice(2)
  const unknown = args.find((arg) => arg !== '--json')
  if (unknown) throw new CannotStart('Usage: npm run doctor, or npm run doctor -- --json')
  const checks = await examine()
  const failed = checks.filter(({ status }) => status === 'fail').length
  console.log(
    args.includes('--json') ? JSON.stringify({ failed, checks }, null, 2) : format(checks),
  )
  return failed === 0
})

async function examine(): Promise<Check[]> {
  let config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    return [fail('settings', error.message, 'Correct them: the shop does not start like this.')]
  }
  const opened = config
  return examineShop(config, (work) =>
    withShopDatabase(
      opened,
      (db, pool, isPooled) => work({ db, pool, isPooled, readSaved: () => readSaved(opened, db) }),
      { migrates: false },
    ),
  )
}

/** Without the secret of the shop, what is encrypted counts as unreadable. */
async function readSaved(config: Config, db: Db): Promise<Config> {
  const secret = (await findSecret(config)) ?? ''
  return readSavedConfig({ db, secret, config })
}

function format(checks: Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.flatMap(({ name, status, found, todo, detail, setting }) => [
    `${marks[status]}  ${name.padEnd(width)}  ${found}${detail ? ` (${detail})` : ''}`,
    ...(todo ? [`      ${''.padEnd(width)}  → ${todo}`] : []),
    ...(setting ? [`      ${''.padEnd(width)}    Or on the server: ${setting}`] : []),
  ])
  const count = (status: Check['status']) =>
    checks.filter((check) => check.status === status).length
  return [
    ...lines,
    '',
    `${count('ok')} ok, ${count('warn')} warnings, ${count('fail')} failures`,
  ].join('\n')
}
