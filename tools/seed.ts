import { readConfig } from '#server/config.ts'
import { readSecret } from '#server/secret.ts'
import { readSavedConfig } from '#server/shop-settings/shop-settings.ts'
import { openPictures } from '#server/uploads/open-pictures.ts'
import { runCommand, withShopDatabase } from '#tools/command.ts'
import { showBar } from '#tools/terminal.ts'
import { createDemo, parseDemoOptions } from '#tools/seed/demo.ts'

/** `npm run seed`: makes the shop a demo, whether it is running or not. */
await runCommand(async () => {
  const bar = showBar()
  const options = parseDemoOptions(process.argv.slice(2))
  const config = readConfig()
  const secret = await readSecret(config)
  const pictures = await openPictures(config, secret)
  await withShopDatabase(
    config,
    async (db, pool) => {
      const { timeZone } = await readSavedConfig({ db, secret, config })
      await createDemo({ db, pool }, pictures, { ...options, timeZone }, bar)
    },
    { hasTimeouts: false },
  )
  console.log('The demo shop is ready. If it does not run yet: npm start')
})
