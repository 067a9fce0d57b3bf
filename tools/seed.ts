import { readConfig } from '#server/config.ts'
import { readSecret } from '#server/secret.ts'
import { openPictures } from '#server/uploads/open-pictures.ts'
import { runCommand, withShopDatabase } from '#tools/command.ts'
import { createDemo, parseDemoOptions } from '#tools/seed/demo.ts'

/** `npm run seed`: makes the shop a demo, whether it is running or not. */
await runCommand(async () => {
  const options = parseDemoOptions(process.argv.slice(2))
  const config = readConfig()
  const pictures = await openPictures(config, await readSecret(config))
  await withShopDatabase(
    config,
    (db, pool) => createDemo({ db, pool }, pictures, options, console.log),
    { hasTimeouts: false },
  )
  console.log('The demo shop is ready. If it does not run yet: npm start')
})
