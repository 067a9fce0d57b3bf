import { CannotStart } from '#server/cannot-start.ts'
import { readConfig, type Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { examineShop, type DoctorLine } from '#server/checks/doctor.ts'
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

async function examine(): Promise<DoctorLine[]> {
  let config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    const todo = 'Correct them: the shop does not start like this.'
    return [{ name: 'settings', status: 'fail', found: error.message, todo }]
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

function format(checks: DoctorLine[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const indent = `      ${''.padEnd(width)}  `
  const lines = checks.flatMap((check) => {
    const { name, status, found, todo, place, setting, howTo, detail } = check
    const where = [place && 'in the back-office', howTo ?? setting].filter(Boolean).join(', or: ')
    return [
      `${marks[status]}  ${name.padEnd(width)}  ${found}${detail ? ` (${detail})` : ''}`,
      ...(todo ? [`${indent}→ ${todo}`] : []),
      ...(where ? [`${indent}  ${where}`] : []),
    ]
  })
  const count = (status: DoctorLine['status']) =>
    checks.filter((check) => check.status === status).length
  return [
    ...lines,
    '',
    `${count('ok')} ok, ${count('warn')} warnings, ${count('fail')} failures`,
  ].join('\n')
}
