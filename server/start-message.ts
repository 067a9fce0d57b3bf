import { firstLoginFile } from './admin/admins.ts'
import { localOrigin, publicOrigin } from './config.ts'
import type { OpenShop } from './shop.ts'
import { version } from './version.ts'

type StartedShop = Pick<OpenShop, 'config' | 'database' | 'firstLogin' | 'weakAdmin'> & {
  payments: Pick<OpenShop['payments'], 'account'>
}

/** Printed once the shop is open: its URL, how to sign in, what to do next. */
export function describeStart(shop: StartedShop): string {
  const { config, database, firstLogin, weakAdmin } = shop
  const local = localOrigin(config)
  const lines = [
    '',
    `  Till ${version} is open · Node ${process.versions.node} · ${database}`,
    '',
    `  Back-office  ${publicOrigin(config)}`,
  ]
  if (config.publicUrl) lines.push(`  Listening    ${local}`)
  if (firstLogin) {
    lines.push(
      `  Username     ${firstLogin.username}`,
      `  Password     ${firstLogin.password}`,
      `               (shown once; also in ${firstLoginFile(config.dataDir)})`,
    )
  }
  lines.push(`  Payments     ${describePayments(shop)}`, '')
  if (weakAdmin)
    lines.push(
      `  ATTENTION    The password of ${weakAdmin} is easy to guess, and whoever guesses it has the shop.`,
      `               Change it now: npm run admin -- reset ${weakAdmin}`,
      '',
    )
  lines.push(...nextSteps(shop).map((step) => `  Next: ${step}`), '  Stop with Ctrl+C.', '')
  return lines.join('\n')
}

function describePayments({ config, payments }: StartedShop): string {
  const { account } = config.payments
  if (!account)
    return 'test mode: no money is taken until SumUp is connected (Settings, or SUMUP_API_KEY and SUMUP_MERCHANT_CODE)'
  const name = `SumUp account ${account.merchantCode}`
  const { mode } = payments.account()
  if (mode === undefined) return `${name}: SumUp has not told yet whether it takes money`
  return mode === 'test' ? `test mode: ${name} is a sandbox, no money is taken` : `live, ${name}`
}

function nextSteps({ config, firstLogin }: Pick<OpenShop, 'config' | 'firstLogin'>): string[] {
  const steps: string[] = []
  if (firstLogin) steps.push('log in; a card there shows what your shop still needs.')
  if (!config.publicUrl)
    steps.push(
      'enter the address your buyers will use under Settings, or set PUBLIC_URL (see .env.example).',
    )
  return steps
}
