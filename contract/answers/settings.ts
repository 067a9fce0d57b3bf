import { z } from 'zod'
import { paymentCurrencies, shownSchemas } from '#contract/shop-settings.ts'
import { count } from './fields.ts'

export const settingsCheck = z
  .object({
    status: z.enum(['ok', 'warn', 'fail']),
    found: z.string(),
    todo: z.string().exactOptional(),
  })
  .meta({ id: 'SettingsCheck', description: 'What a check found, and what to do about it.' })

export const sumupCheck = settingsCheck
  .extend({
    currency: z
      .enum(paymentCurrencies)
      .exactOptional()
      .describe('The one that the account is paid in, where another one is chosen'),
  })
  .meta({ id: 'SumupCheck', description: 'What SumUp says about an account.' })

const secret = z
  .enum(['none', 'saved', 'unreadable'])
  .describe('unreadable: encrypted with another SESSION_SECRET; it has to be entered again')

export const shopSettings = z
  .object({
    version: count.describe('Sent along with a change'),
    values: z
      .object(shownSchemas)
      .describe('In force: from the environment, else as saved, else the default'),
    fixed: z
      .record(z.string(), z.string())
      .describe(
        'Fields such as `shop.name` that the environment decides, with its variable: they cannot be changed here',
      ),
    secrets: z
      .object({ mail: secret, sumup: secret })
      .describe('The mail password and the key of SumUp, which are never shown'),
    account: settingsCheck.describe('What SumUp says about the account in use'),
  })
  .meta({ id: 'ShopSettings' })

export const setup = z
  .object({
    steps: z
      .array(
        z.object({
          name: z.enum(['shop', 'password', 'product', 'test-order', 'sumup', 'address', 'mail']),
          isDone: z.boolean(),
          isChecking: z.boolean().describe('Another machine is being asked: ask again in a moment'),
          text: z.string(),
        }),
      )
      .describe('In the order in which they are done; none once all have been'),
    isFolded: z.boolean().describe('By the logged-in admin'),
  })
  .meta({ id: 'Setup', description: 'What a new shop still needs.' })
