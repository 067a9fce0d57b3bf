import { firstLoginFile } from './admin/admins.ts'
import type { OpenShop } from './shop.ts'
import { version } from './version.ts'

/** Printed once the shop is open: its URL, how to sign in, what to do next. */
export function describeStart(shop: Pick<OpenShop, 'config' | 'database' | 'firstLogin'>): string {
  const { config, database, firstLogin } = shop
  const local = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  const lines = [
    '',
    `  Till ${version} is open · Node ${process.versions.node} · ${database}`,
    '',
    `  Back-office  ${config.publicUrl ?? local}`,
  ]
  if (config.publicUrl) lines.push(`  Listening    ${local}`)
  if (firstLogin) {
    lines.push(
      `  Username     ${firstLogin.username}`,
      `  Password     ${firstLogin.password}`,
      `               (shown once; also in ${firstLoginFile(config.dataDir)})`,
    )
  }
  lines.push(
    config.payments.account
      ? `  Payments     live, SumUp account ${config.payments.account.merchantCode}`
      : '  Payments     test mode: no money is taken until SUMUP_API_KEY and SUMUP_MERCHANT_CODE are set',
    '',
    ...nextSteps(shop).map((step) => `  Next: ${step}`),
    '  Stop with Ctrl+C.',
    '',
  )
  return lines.join('\n')
}

function nextSteps({ config, firstLogin }: Pick<OpenShop, 'config' | 'firstLogin'>): string[] {
  const steps: string[] = []
  if (firstLogin)
    steps.push('sign in and add your first product; npm run admin changes the password.')
  if (!config.publicUrl)
    steps.push('set PUBLIC_URL to the address your buyers will use (see .env.example).')
  return steps
}
