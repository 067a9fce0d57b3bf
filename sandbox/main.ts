/* oxlint-disable node/no-process-env, no-console -- a separate program that reads its settings and prints one line */
import { once } from 'node:events'
import { z } from 'zod'
import { currencies, methodIds } from './records.ts'
import { startSandbox } from './sandbox.ts'

const settingsSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(4010),
  HOST: z.string().default('127.0.0.1'),
  STATE_FILE: z.string().optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  API_KEY: z.string().min(1).optional(),
  MERCHANT_CODE: z.string().min(1).optional(),
  MERCHANT_CURRENCY: z.enum(currencies).optional(),
  MERCHANT_COUNTRY: z.string().length(2).optional(),
  MERCHANT_SANDBOX: z.stringbool().optional(),
  MERCHANT_MINIMUM: z.coerce.number().nonnegative().optional(),
  /** Comma-separated; `card` for cards alone. */
  MERCHANT_METHODS: z
    .string()
    .transform((text) => text.split(',').filter((id) => id !== 'card'))
    .pipe(z.array(z.enum(methodIds)))
    .optional(),
  /** Comma-separated, in milliseconds. */
  WEBHOOK_DELAYS_MS: z
    .string()
    .transform((text) => text.split(',').map(Number))
    .pipe(z.array(z.int().nonnegative()))
    .optional(),
})

/** A shop starts this program before it knows the settings, and sends them. */
const isOfShop = process.argv.includes('--settings-follow')
// Ctrl+C is meant for the shop, which ends this program when it needs it no more.
if (isOfShop) process.on('SIGINT', () => {})
const given: object = isOfShop ? (await once(process, 'message'))[0] : process.env
const settings = settingsSchema.safeParse(
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
)
if (!settings.success) {
  for (const { path, message } of settings.error.issues)
    console.error(`${path.join('.')}: ${message}`)
  process.exit(1)
}
const { data } = settings
const sandbox = await startSandbox(
  withoutUndefined({
    port: data.PORT,
    host: data.HOST,
    stateFile: data.STATE_FILE,
    publicUrl: data.PUBLIC_URL,
    apiKey: data.API_KEY,
    webhookDelaysMs: data.WEBHOOK_DELAYS_MS,
    merchant: withoutUndefined({
      code: data.MERCHANT_CODE,
      currency: data.MERCHANT_CURRENCY,
      country: data.MERCHANT_COUNTRY,
      sandbox: data.MERCHANT_SANDBOX,
      minimumAmount: data.MERCHANT_MINIMUM,
      methods: data.MERCHANT_METHODS,
    }),
  }),
).catch((error: Error & { code?: string }) => {
  const taken = `PORT: ${data.PORT} is taken by another program`
  console.error(error.code === 'EADDRINUSE' ? taken : error)
  process.exit(1)
})

const { url, apiKey, merchantCode, sdkUrl } = sandbox
console.log(`Sandbox: ${url} (key ${apiKey}, merchant ${merchantCode})`)
process.send?.({ url, apiKey, merchantCode, sdkUrl })

process.once('SIGTERM', () => void end())
process.once('disconnect', () => void end())
if (!isOfShop) process.once('SIGINT', () => void end())

async function end(): Promise<void> {
  await sandbox.close()
  process.exit(0)
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }
function withoutUndefined<T extends object>(settings: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as Defined<T>
}
