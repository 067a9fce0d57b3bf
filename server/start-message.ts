import { firstLoginFile } from './admin/admins.ts'
import { describeShortly, runChecks, type Found } from './checks/check.ts'
import { checks } from './checks/list.ts'
import { localOrigin, publicOrigin } from './config.ts'
import type { OpenShop } from './shop.ts'
import { version } from './version.ts'

type StartedShop = Pick<OpenShop, 'config' | 'database' | 'firstLogin' | 'weakAdmin'> & {
  payments: Pick<OpenShop['payments'], 'account' | 'sandboxUrl'>
}

/** Printed once the shop is open: its URL, how to sign in, what to do next. */
export async function describeStart(shop: StartedShop): Promise<string> {
  const { config, database, firstLogin, weakAdmin, payments } = shop
  const found = await runChecks(
    checks.filter(({ shownIn }) => shownIn.start),
    {
      config,
      isSandbox: payments.sandboxUrl !== undefined,
      account: () => payments.account(),
      findWeakAdmin: async () => weakAdmin,
    },
  )
  const lines = [
    '',
    `  Till ${version} is open · Node ${process.versions.node} · ${database}`,
    '',
    `  Back-office  ${publicOrigin(config)}`,
  ]
  if (config.publicUrl) lines.push(`  Listening    ${localOrigin(config)}`)
  if (firstLogin) {
    lines.push(
      `  Username     ${firstLogin.username}`,
      `  Password     ${firstLogin.password}`,
      `               (shown once; also in ${firstLoginFile(config.dataDir)})`,
    )
  }
  lines.push(...list(found, 'Payments'), '', ...list(found, 'ATTENTION'))
  if (firstLogin)
    lines.push('  Next         Log in; a card there shows what your shop still needs.')
  lines.push(...list(found, 'Next'), '  Stop with Ctrl+C.', '')
  return lines.join('\n')
}

function list(found: Found[], label: Found['shownIn']['start']): string[] {
  return found
    .filter(({ shownIn }) => shownIn.start === label)
    .flatMap((finding) => {
      const { setting, howTo } = finding
      const server = howTo ?? (setting && `In the settings of the back-office, or with ${setting}`)
      return [
        `  ${label?.padEnd(11)}  ${describeShortly(finding)}`,
        ...(server ? [`               ${server}`] : []),
      ]
    })
}
