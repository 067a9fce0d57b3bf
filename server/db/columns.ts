import { boolean, char, numeric, timestamp } from './drizzle.ts'

/** timestamptz. Times are set by the database's clock: no other clock decides anything. */
export const moment = (name: string) => timestamp(name, { withTimezone: true })
export const createdAt = () => moment('created_at').notNull().defaultNow()
export const updatedAt = () => moment('updated_at').notNull().defaultNow()
export const money = (name: string) => numeric(name, { precision: 10, scale: 2 })
export const currency = () => char('currency', { length: 3 })
/** Made in test mode: never counted, listed or sent to a buyer once the shop is live. Set once, on insert. */
export const isTest = () => boolean('is_test').notNull().default(false)
