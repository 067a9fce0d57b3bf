import { text } from 'node:stream/consumers'
import { Refusal } from '#contract/refusals.ts'
import {
  addAdmin,
  changePassword,
  findAdminByName,
  listAdmins,
  setDisabled,
} from '#server/admin/admins.ts'
import { generatePassword } from '#server/admin/passwords.ts'
import { removeSecondFactor } from '#server/admin/second-factor.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { shellActor } from '#server/http/audit.ts'
import { settings } from '#server/settings.ts'
import { runCommand, withShopDatabase } from '#tools/command.ts'

const usage = `Usage:
  npm run admin -- list                          who may sign in
  npm run admin -- create USERNAME EMAIL         a new admin
  npm run admin -- reset USERNAME                a new password; signs that admin out everywhere
  npm run admin -- second-factor-off USERNAME    sign in without a code again, when the phone and the recovery codes are lost
  npm run admin -- enable USERNAME               lets a disabled admin sign in again
A password is made and shown. To choose your own: echo 'the password' | npm run admin -- reset USERNAME --password-stdin`

type Action = {
  run: (db: Db, password: string) => Promise<void>
  /** A password that was made for it is shown. */
  setsPassword?: true
}

await runCommand(async () => {
  const args = process.argv.slice(2)
  const readsPassword = args.includes('--password-stdin')
  const [name, ...names] = args.filter((arg) => arg !== '--password-stdin')
  const action = findAction(name, names)
  if (!action) throw new CannotStart(usage)
  const password = readsPassword ? (await text(process.stdin)).trim() : generatePassword()
  validate('ADMIN_PASSWORD', password, 'The password')
  await withShopDatabase(readConfig(), async (db) => {
    await action.run(db, password).catch(explainRefusal)
    if (action.setsPassword && !readsPassword) console.log(`Password: ${password}`)
  })
})

function findAction(name: string | undefined, [username, email]: string[]): Action | undefined {
  if (name === 'list') return { run: list }
  if (!username) return undefined
  switch (name ?? '') {
    case 'create':
      return email
        ? {
            run: (db, password) => create(db, username.trim(), email, password),
            setsPassword: true,
          }
        : undefined
    case 'reset':
      return { run: (db, password) => reset(db, username, password), setsPassword: true }
    case 'second-factor-off':
      return { run: (db) => switchSecondFactorOff(db, username) }
    case 'enable':
      return { run: (db) => enable(db, username) }
    default:
      return undefined
  }
}

/** What the shop refuses, such as an easy password, is told in one sentence. */
function explainRefusal(error: unknown): never {
  throw error instanceof Refusal ? new CannotStart(error.message) : error
}

/** The rules of the settings for the first admin hold for all admins. */
function validate(
  setting: 'ADMIN_USERNAME' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD',
  value: string,
  what: string,
): void {
  const { schema, expected } = settings[setting]
  if (!schema.safeParse(value).success) throw new CannotStart(`${what} must be ${expected}.`)
}

async function list(db: Db): Promise<void> {
  for (const { username, email, isDisabled, hasSecondFactor } of await listAdmins(db)) {
    const notes = [isDisabled && 'disabled', hasSecondFactor && 'second factor'].filter(Boolean)
    console.log(`${username}  ${email}${notes.length > 0 ? `  (${notes.join(', ')})` : ''}`)
  }
}

async function create(db: Db, username: string, email: string, password: string): Promise<void> {
  validate('ADMIN_USERNAME', username, 'The username')
  validate('ADMIN_EMAIL', email, 'The e-mail address')
  await addAdmin(db, { username, email, password }, shellActor)
  console.log(`${username} may sign in now.`)
}

async function reset(db: Db, username: string, password: string): Promise<void> {
  if (!(await changePassword(db, username, password))) throw missing(username)
  console.log(`The password of ${username} is changed, and ${username} is signed out everywhere.`)
}

async function switchSecondFactorOff(db: Db, username: string): Promise<void> {
  const { id } = await getAdmin(db, username)
  const wasOn = await removeSecondFactor(db, id, shellActor)
  console.log(
    wasOn
      ? `The second factor of ${username} is off: name and password are enough.`
      : `The second factor of ${username} was off already.`,
  )
}

async function enable(db: Db, username: string): Promise<void> {
  const { id } = await getAdmin(db, username)
  await setDisabled(db, id, false, shellActor)
  console.log(`${username} may sign in now.`)
}

async function getAdmin(db: Db, username: string) {
  const admin = await findAdminByName(db, username)
  if (!admin) throw missing(username)
  return admin
}

function missing(username: string): CannotStart {
  return new CannotStart(`There is no admin "${username}". npm run admin -- list shows them.`)
}
