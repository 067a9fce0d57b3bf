import { text } from 'node:stream/consumers'
import { addAdmin, changePassword, listAdmins } from '#server/admin/admins.ts'
import { generatePassword } from '#server/admin/passwords.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { settings } from '#server/settings.ts'
import { runCommand, withShopDatabase } from '#tools/command.ts'

const usage = `Usage:
  npm run admin -- list                      who may sign in
  npm run admin -- create USERNAME EMAIL     a new admin
  npm run admin -- reset USERNAME            a new password; signs that admin out everywhere
A password is made and shown. To choose your own: echo 'the password' | npm run admin -- reset USERNAME --password-stdin`

await runCommand(async () => {
  const args = process.argv.slice(2)
  const readsPassword = args.includes('--password-stdin')
  const [action, ...names] = args.filter((arg) => arg !== '--password-stdin')
  const run = findAction(action, names)
  if (!run) throw new CannotStart(usage)
  const password = readsPassword ? (await text(process.stdin)).trim() : generatePassword()
  validate('ADMIN_PASSWORD', password, 'The password')
  await withShopDatabase(readConfig(), async (db) => {
    await run(db, password)
    if (action !== 'list' && !readsPassword) console.log(`Password: ${password}`)
  })
})

function findAction(action: string | undefined, [username, email]: string[]) {
  if (action === 'list') return list
  if (action === 'create' && username && email)
    return (db: Db, password: string) => create(db, username.trim(), email, password)
  if (action === 'reset' && username)
    return (db: Db, password: string) => reset(db, username, password)
  return undefined
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
  for (const { username, email } of await listAdmins(db)) console.log(`${username}  ${email}`)
}

async function create(db: Db, username: string, email: string, password: string): Promise<void> {
  validate('ADMIN_USERNAME', username, 'The username')
  validate('ADMIN_EMAIL', email, 'The e-mail address')
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  const isTaken = (await listAdmins(db)).some(
    (admin) => isSame(admin.email, email) || isSame(admin.username, username),
  )
  if (isTaken)
    throw new CannotStart(
      `There is an admin with that name or address already: ${username}, ${email}`,
    )
  await addAdmin(db, { username, email, password })
  console.log(`${username} may sign in now.`)
}

async function reset(db: Db, username: string, password: string): Promise<void> {
  if (!(await changePassword(db, username, password)))
    throw new CannotStart(`There is no admin "${username}". npm run admin -- list shows them.`)
  console.log(`The password of ${username} is changed, and ${username} is signed out everywhere.`)
}
