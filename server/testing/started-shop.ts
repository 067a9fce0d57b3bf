import { after } from 'node:test'
import { pino } from 'pino'
import { createSession } from '#server/admin/sessions.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { users } from '#server/db/admin-schema.ts'
import { openShop } from '#server/shop.ts'
import { patient } from './test-shop.ts'

/** A shop as `npm start` runs it, without a port. */
export async function startShop(environment: Record<string, string>) {
  const config = patient(readConfig(environment))
  const shop = await openShop(config, pino({ level: 'silent' }), () => {})
  const app = await createApp(shop)
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await app.close()
    await shop.close()
  }
  after(close)
  const signIn = async () => {
    const [admin] = await shop.db.select().from(users)
    return {
      cookie: `till_session=${await createSession(shop.db, admin?.id ?? '', { address: '::1', userAgent: undefined })}`,
    }
  }
  return { app, db: shop.db, shop, signIn, close }
}
