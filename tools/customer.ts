import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { customerSchema } from '#contract/customers.ts'
import { Refusal } from '#contract/refusals.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { readConfig, type Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { recordAudit, shellActor } from '#server/http/audit.ts'
import { eraseCustomer, exportCustomer } from '#server/privacy/customer-data.ts'
import { runCommand, withShopDatabase } from '#tools/command.ts'

const usage = `Usage:
  npm run customer -- export EMAIL [FILE]    everything stored about this customer, as JSON
  npm run customer -- erase EMAIL            erases this customer; orders stay without name and address
Erasing asks first; in a script say so with --yes.`

await runCommand(async () => {
  const args = process.argv.slice(2)
  const isConfirmed = args.includes('--yes')
  const [action, email = '', file] = args.filter((arg) => arg !== '--yes')
  if (action !== 'export' && action !== 'erase') throw new CannotStart(usage)
  const customer = customerSchema.safeParse({ email })
  if (!customer.success) throw new CannotStart(`"${email}" is not an email address.\n${usage}`)
  const config = readConfig()
  const run = async (db: Db) => {
    try {
      if (action === 'export') await exportTo(db, customer.data.email, file)
      else await erase(db, config, customer.data.email, isConfirmed)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { orderId } = error.facts
      throw new CannotStart(orderId ? `${error.message} Order: ${orderId}` : error.message)
    }
  }
  await withShopDatabase(config, run, { hasTimeouts: false })
})

async function exportTo(db: Db, email: string, file: string | undefined): Promise<void> {
  const json = `${JSON.stringify(await exportCustomer(db, email), undefined, 2)}\n`
  await recordAudit(db, shellActor, { action: 'customer-exported' })
  if (!file) return void process.stdout.write(json)
  // Only its owner may read it, and nothing is overwritten.
  await writeFile(file, json, { mode: 0o600, flag: 'wx' }).catch((error: Error) => {
    throw new CannotStart(`${file} could not be written: ${error.message}`)
  })
  console.log(`Everything stored about ${email} is in ${file}.`)
}

async function erase(db: Db, config: Config, email: string, isConfirmed: boolean): Promise<void> {
  const { orders, checkouts } = await exportCustomer(db, email)
  const what = `${email}: ${orders.length} orders, ${checkouts.length} checkouts`
  if (!isConfirmed && !(await confirm(`${what}. Erase for ever? Type yes: `)))
    throw new CannotStart('Nothing was erased.')
  const erased = await eraseCustomer({ db, config }, email, shellActor)
  console.log(`Erased. ${erased.remains.join(' ')}`)
  for (const { id, createdAt, amount, currency, product } of erased.orders)
    console.log(`  ${id}  ${createdAt.slice(0, 10)}  ${amount} ${currency}  ${product}`)
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(question)).trim().toLowerCase() === 'yes'
  } finally {
    terminal.close()
  }
}
