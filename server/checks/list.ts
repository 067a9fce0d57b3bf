import { addressChecks } from './addresses.ts'
import { backupChecks } from './backups.ts'
import type { Check } from './check.ts'
import { databaseChecks } from './database.ts'
import { machineChecks } from './machine.ts'
import { mailChecks } from './mail.ts'
import { newShopChecks } from './new-shop.ts'
import { paymentChecks } from './payments.ts'

/** All checks, in the order in which each place shows them. A check stands behind the one that it comes `after`. */
export const checks: Check[] = [
  ...databaseChecks,
  ...paymentChecks,
  ...newShopChecks,
  ...backupChecks,
  ...addressChecks,
  ...mailChecks,
  ...machineChecks,
]
