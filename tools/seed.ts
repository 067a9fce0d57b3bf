import { CannotStart } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import { explainError } from '#server/describe-error.ts'
import { readSecret } from '#server/secret.ts'
import { openPictures } from '#server/uploads/open-pictures.ts'
import { makeDemo } from '#tools/seed/make-demo.ts'
import { readWishes } from '#tools/seed/wishes.ts'
import { withShopDatabase } from '#tools/shop-database.ts'

/** `npm run seed`: a demo shop, beside the running one or while it is closed. */
try {
  const wishes = readWishes(process.argv.slice(2))
  const config = readConfig()
  const pictures = await openPictures(config, await readSecret(config))
  await withShopDatabase(config, (db) => makeDemo(db, pictures, wishes, console.log), {
    isPatient: true,
  })
  console.log('The demo shop is ready. If it does not run yet: npm start')
  process.exit(0)
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : explainError(error))
  process.exit(1)
}
