import { compareWithRecount, type Difference } from '#server/analytics/recount.ts'
import { rebuildZone } from '#server/analytics/zones.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { explainError } from '#server/describe-error.ts'
import { withShopDatabase } from '#tools/shop-database.ts'

const usage = `Usage:
  npm run recount                 counts all figures anew from events and orders, and tells where they differ
  npm run recount -- --repair     and keeps what was counted`

const mostShown = 50

async function main(): Promise<boolean> {
  const words = process.argv.slice(2)
  const repairs = words.includes('--repair')
  if (words.some((word) => word !== '--repair')) throw new CannotStart(usage)
  let isRight = true
  const recount = async (db: Db) => {
    const { rows, differences } = await compareWithRecount(db)
    isRight = differences.length === 0
    report(rows, differences)
    if (!isRight && repairs) isRight = await repair(db, differences)
  }
  await withShopDatabase(readConfig(), recount, { isPatient: true })
  return isRight
}

function report(rows: number, differences: Difference[]): void {
  if (rows === 0) return console.log('No figures are kept yet: nobody has looked at Analytics.')
  if (differences.length === 0) return console.log(`${rows} rows, all equal`)
  console.log('views/started/completed/thanked/orders/revenue')
  for (const { zone, day, kind, key, kept, counted } of differences.slice(0, mostShown)) {
    console.log(
      `${zone} ${day} ${kind} ${key}: kept ${kept ?? 'none'}, counted ${counted ?? 'none'}`,
    )
  }
  console.log(`${rows} rows, ${differences.length} differ`)
}

async function repair(db: Db, differences: Difference[]): Promise<boolean> {
  for (const zone of new Set(differences.map((difference) => difference.zone))) {
    await rebuildZone(db, zone)
    console.log(`${zone} is counted anew`)
  }
  const after = await compareWithRecount(db)
  report(after.rows, after.differences)
  return after.differences.length === 0
}

try {
  process.exit((await main()) ? 0 : 1)
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : explainError(error))
  process.exit(1)
}
