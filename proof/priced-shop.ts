/* oxlint-disable node/no-process-env -- a separate program with its own settings */
import { readFileSync } from 'node:fs'
import { defaultDelivery } from '#contract/quotes.ts'

/*
 * The shop, whose delivery prices are those of a file in place of the owner's settings: the proof of prices changes the
 * file while people buy, also while servers and the database are down.
 */

const file = process.env.DELIVERY_FILE ?? ''
const rereadMs = 50

function reread(): void {
  Object.assign(defaultDelivery, JSON.parse(readFileSync(file, 'utf8')))
}

reread()
setInterval(reread, rereadMs).unref()
await import('#server/main.ts')
