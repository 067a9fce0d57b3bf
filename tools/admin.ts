import { text } from 'node:stream/consumers'
import { addAdmin, changePassword, listAdmins } from '#server/admin/admins.ts'
import { generatePassword } from '#server/admin/passwords.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { explainError } from '#server/describe-error.ts'
import { settings } from '#server/settings.ts'
import { withShopDatabase } from '#tools/shop-database.ts'

const usage = `Usage:
  npm run admin -- list                      who may sign in
  npm run admin -- create USERNAME EMAIL     a new admin
  npm run admin -- reset USERNAME            a new password; signs that admin out everywhere
A password is made and shown. To choose your own: echo 'the password' | npm run admin -- reset USERNAME --password-stdin`

async function main(): Promise<void> {
  const words = process.argv.slice(2)
  const fromInput = words.includes('--password-stdin')
  const [action, ...names] = words.filter((word) => word !== '--password-stdin')
  const act = actionFor(action, names)
  if (!act) throw new CannotStart(usage)
  const password = fromInput ? (await text(process.stdin)).trim() : generatePassword()
  check('ADMIN_PASSWORD', password, 'The password')
  await withShopDatabase(readConfig(), async (db) => {
    await act(db, password)
    if (action !== 'list' && !fromInput) console.log(`Password: ${password}`)
  })
}

function actionFor(action: string | undefined, [username, email]: string[]) {
  if (action === 'list') return list
  if (action === 'create' && username && email) {
    return (db: Db, password: string) => create(db, username.trim(), email, password)
  }
  if (action === 'reset' && username)
    return (db: Db, password: string) => reset(db, username, password)
  return undefined
}

/** The rules of the first admin are the rules of all. */
function check(
  rule: 'ADMIN_USERNAME' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD',
  given: string,
  what: string,
): void {
  const { schema, expected } = settings[rule]
  if (!schema.safeParse(given).success) throw new CannotStart(`${what} must be ${expected}.`)
}

async function list(db: Db): Promise<void> {
  for (const { username, email } of await listAdmins(db)) console.log(`${username}  ${email}`)
}

async function create(db: Db, username: string, email: string, password: string): Promise<void> {
  check('ADMIN_USERNAME', username, 'The username')
  check('ADMIN_EMAIL', email, 'The e-mail address')
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  const taken = (await listAdmins(db)).some(
    (admin) => same(admin.email, email) || same(admin.username, username),
  )
  if (taken)
    throw new CannotStart(
      `There is an admin with that name or address already: ${username}, ${email}`,
    )
  await addAdmin(db, { username, email, password })
  console.log(`${username} may sign in now.`)
}

async function reset(db: Db, username: string, password: string): Promise<void> {
  if (!(await changePassword(db, username, password))) {
    throw new CannotStart(`There is no admin "${username}". npm run admin -- list shows them.`)
  }
  console.log(`The password of ${username} is changed, and ${username} is signed out everywhere.`)
}

try {
  await main()
  process.exit(0)
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : explainError(error))
  process.exit(1)
}
