import { createInterface } from 'node:readline/promises'
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
import { variables } from '#server/environment-variables.ts'
import {
  adminActions,
  askForAction,
  parseAction,
  usage,
  type AdminAction,
  type ChosenAction,
} from '#tools/admin-menu.ts'
import { runCommand, withShopDatabase } from '#tools/command.ts'

type Names = { username: string; email: string }

const runs: Record<AdminAction, (db: Db, names: Names, password: string) => Promise<void>> = {
  list,
  create,
  reset,
  'second-factor-off': switchSecondFactorOff,
  enable,
}

await runCommand(async () => {
  const args = process.argv.slice(2)
  const readsPassword = args.includes('--password-stdin')
  const words = args.filter((arg) => arg !== '--password-stdin')
  const { action, username, email } = words.length > 0 ? parseAction(words) : await askOrExplain()
  const password = readsPassword ? (await text(process.stdin)).trim() : generatePassword()
  validate('ADMIN_PASSWORD', password, 'The password')
  await withShopDatabase(readConfig(), async (db) => {
    await runs[action](db, { username, email }, password).catch(explainRefusal)
    if (adminActions[action].setsPassword && !readsPassword) console.log(`Password: ${password}`)
  })
})

/** Without a terminal nobody could answer. */
async function askOrExplain(): Promise<ChosenAction> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new CannotStart(usage)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  terminal.on('SIGINT', () => process.exit(130))
  try {
    return await askForAction((question) => terminal.question(question), console.log)
  } finally {
    terminal.close()
  }
}

/** What the shop refuses, such as an easy password, is told in one sentence. */
function explainRefusal(error: unknown): never {
  throw error instanceof Refusal ? new CannotStart(error.message) : error
}

/** The rules of the variables for the first admin hold for all admins. */
function validate(
  variable: 'ADMIN_USERNAME' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD',
  value: string,
  what: string,
): void {
  const { schema, expected } = variables[variable]
  if (!schema.safeParse(value).success) throw new CannotStart(`${what} must be ${expected}.`)
}

async function list(db: Db): Promise<void> {
  for (const { username, email, isDisabled, hasSecondFactor } of await listAdmins(db)) {
    const notes = [isDisabled && 'disabled', hasSecondFactor && 'second factor'].filter(Boolean)
    console.log(`${username}  ${email}${notes.length > 0 ? `  (${notes.join(', ')})` : ''}`)
  }
}

async function create(db: Db, { username, email }: Names, password: string): Promise<void> {
  validate('ADMIN_USERNAME', username, 'The username')
  validate('ADMIN_EMAIL', email, 'The email address')
  await addAdmin(db, { username, email, password }, shellActor)
  console.log(`${username} may log in now.`)
}

async function reset(db: Db, { username }: Names, password: string): Promise<void> {
  if (!(await changePassword(db, username, password))) throw missing(username)
  console.log(`The password of ${username} is changed, and ${username} is logged out everywhere.`)
}

async function switchSecondFactorOff(db: Db, { username }: Names): Promise<void> {
  const { id } = await getAdmin(db, username)
  const wasOn = await removeSecondFactor(db, id, shellActor)
  console.log(
    wasOn
      ? `The second factor of ${username} is off: name and password are enough.`
      : `The second factor of ${username} was off already.`,
  )
}

async function enable(db: Db, { username }: Names): Promise<void> {
  const { id } = await getAdmin(db, username)
  await setDisabled(db, id, false, shellActor)
  console.log(`${username} may log in now.`)
}

async function getAdmin(db: Db, username: string) {
  const admin = await findAdminByName(db, username)
  if (!admin) throw missing(username)
  return admin
}

function missing(username: string): CannotStart {
  return new CannotStart(`There is no admin "${username}". npm run admin -- list shows them.`)
}
