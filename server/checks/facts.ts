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

/** What the settings, the account and the database tell: to a running shop, and to the doctor beside it. */
export function collectFacts(
  known: Pick<Facts, 'config' | 'isSandbox' | 'account'>,
  db: Db,
): Facts {
  return {
    ...known,
    findWeakAdmin: () => findWeakAdmin(db),
    findBackupProblem: () => findBackupProblem(db),
    findRestored: () => findRestore(known, db),
    isCardTestingAttack: async () =>
      isCardTestingAttack(db, (await known.account()).mode === 'test'),
  }
}

/** What a running shop knows of itself right now, without asking another machine. */
export function collectShopFacts(shop: RunningShop): Facts {
  const { config, db, payments, geoLocations, selfChecks } = shop
  const ownRequest = selfChecks.findLast()
  const isSandbox = payments.sandboxUrl !== undefined
  return {
    ...collectFacts({ config, isSandbox, account: () => payments.account() }, db),
    // A shop that writes no backups is not told of earlier ones; the doctor is.
    findBackupProblem: async () => (config.backup.folder ? findBackupProblem(db) : undefined),
    findCardFormChange: () => findSdkChange(db, payments.sdkUrl),
    findGeoProblem: () => geoLocations.findProblem(),
    ...(ownRequest && { ownRequest }),
  }
}

async function findRestore(
  { config, account }: Pick<Facts, 'config' | 'account'>,
  db: Db,
): Promise<FoundRestore | undefined> {
  const restored = await findUnreadRestore(db)
  if (!restored) return undefined
  const { mode } = await account()
  const sumup = {
    merchantCode: config.payments.account?.merchantCode ?? '',
    findMode: () => mode,
  }
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
