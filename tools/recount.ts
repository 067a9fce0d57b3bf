import { figureNames } from '#server/analytics/figures.ts'
import { compareWithRecount, type Difference } from '#server/analytics/recount.ts'
import { rebuildFigures } from '#server/analytics/kept-figures.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { runCommand, withShopDatabase } from '#tools/command.ts'
import { showProgress } from '#tools/terminal.ts'

const usage = `Usage:
  npm run recount                 counts all figures anew from events and orders, and tells where they differ
  npm run recount -- --repair     and keeps what was counted`

const maxShown = 50

await runCommand(async () => {
  const args = process.argv.slice(2)
  if (args.some((arg) => arg !== '--repair')) throw new CannotStart(usage)
  let isCorrect = true
  const recount = async (db: Db) => {
    let differences = await compare(db)
    if (differences.length > 0 && args.includes('--repair')) {
      await rebuildFigures(db)
      console.log('All figures are counted anew')
      differences = await compare(db)
    }
    isCorrect = differences.length === 0
  }
  await withShopDatabase(readConfig(), recount, { hasTimeouts: false })
  return isCorrect
})

async function compare(db: Db): Promise<Difference[]> {
  const progress = showProgress()
  const { rows, differences } = await compareWithRecount(db, (done, total) =>
    progress({ step: 'Quarters', done, total }),
  )
  report(rows, differences)
  return differences
}

function report(rows: number, differences: Difference[]): void {
  if (rows === 0) return console.log('No figures are kept yet: nobody has looked at Analytics.')
  if (differences.length === 0) return console.log(`${rows} rows, all equal`)
  console.log(figureNames.join('/'))
  for (const { day, kind, key, isTest, kept, counted } of differences.slice(0, maxShown))
    console.log(
      `${day} ${kind} ${key}${isTest ? ' (test mode)' : ''}: kept ${kept ?? 'none'}, counted ${counted ?? 'none'}`,
    )
  console.log(`${rows} rows, ${differences.length} differ`)
}
