import type { FastifyRequest } from 'fastify'
import { findWeakAdmin } from '#server/admin/admins.ts'
import { findUnreadRestore } from '#server/admin/restored.ts'
import { findBackupProblem } from '#server/backup/scheduled-backups.ts'
import { isAccountOfSales } from '#server/checkouts/compare.ts'
import { isCardTestingAttack } from '#server/checkouts/declined-cards.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { isAskedThrough } from '#server/http/access.ts'
import { rememberFor } from '#server/memoize.ts'
import type { Payments } from '#server/sumup/payments.ts'
import { findSdkChange } from '#server/sumup/sdk-watch.ts'
import { askPublicUrl } from './addresses.ts'
import type { SelfChecks } from './ask.ts'
import { attempt, ok, type Facts, type Finding, type FoundRestore } from './check.ts'
import { askMailServer } from './mail.ts'

type RunningShop = {
  config: Config
  db: Db
  payments: Payments
  geoLocations: { findProblem: () => Promise<string | undefined> }
  selfChecks: Pick<SelfChecks, 'findLast'>
}

/** What a running shop knows of itself right now, without asking another machine. */
export function factsOfShop(shop: RunningShop): Facts {
  const { config, db, payments, geoLocations, selfChecks } = shop
  const ownRequest = selfChecks.findLast()
  return {
    config,
    isSandbox: payments.sandboxUrl !== undefined,
    account: () => payments.account(),
    findWeakAdmin: () => findWeakAdmin(db),
    findBackupProblem: async () => (config.backup.folder ? findBackupProblem(db) : undefined),
    findRestored: () => findRestore(db, payments.pin().sumup),
    isCardTestingAttack: () => isCardTestingAttack(db, payments.account().mode === 'test'),
    findCardFormChange: () => findSdkChange(db, payments.sdkUrl),
    findGeoProblem: () => geoLocations.findProblem(),
    ...(ownRequest && { ownRequest }),
  }
}

export async function findRestore(
  db: Db,
  sumup: Parameters<typeof isAccountOfSales>[0]['sumup'],
): Promise<FoundRestore | undefined> {
  const restored = await findUnreadRestore(db)
  if (!restored) return undefined
  const isComparable = restored.comparedAt !== null || (await isAccountOfSales({ db, sumup }))
  return { ...restored, isComparable }
}

/** How long an answer of another machine is good for. A changed setting is asked about at once. */
const answerMs = 30_000

/** Questions to other machines, whose answers all requests share. */
export function openOutside({ config }: { config: Config }) {
  const askAddress = rememberFor(answerMs, (publicUrl: string) =>
    attempt(() => askPublicUrl(config, publicUrl)),
  )
  const askMail = rememberFor(answerMs, (_smtpUrl: string | undefined) =>
    attempt(() => askMailServer(config)),
  )
  return { config, askAddress, askMail: () => askMail(config.mail.smtpUrl) }
}

export type Outside = ReturnType<typeof openOutside>

/** An address that this very request came through leads here, whatever the shop sees of it itself. */
export function askOutside({ config, askAddress, askMail }: Outside, request: FastifyRequest) {
  return {
    askMail,
    async askAddress(): Promise<Finding> {
      const { publicUrl = '' } = config
      return isAskedThrough(request, publicUrl)
        ? ok(`${publicUrl} leads here.`)
        : askAddress(publicUrl)
    },
  }
}
