import { z } from 'zod'
import { worldCountries } from '#contract/world-countries.ts'
import { refusals, type RefusalCode } from '#contract/refusals.ts'

/*
 * What calls answer, as schemas: the API reference is made of them, and tests compare them with real answers. Pages
 * import only the types that follow from them, so that no browser loads a schema it does not use.
 */

export const id = z.guid()
export const time = z.iso.datetime()
export const day = z.iso.date()
export const count = z.int().min(0)
/** Two decimals: '1234.50'. */
export const money = z.string().regex(/^\d+\.\d\d$/)

const codes = Object.keys(refusals) as RefusalCode[]
const fact = z.string().exactOptional()

export const refusal = z
  .object({
    message: z.string().describe('For people: what is wrong and what to do'),
    error: z.string().describe('The same; of every 401 `Unauthorized`'),
    code: z.enum(codes).describe('For programs. It stays when the text changes'),
    orderId: fact,
    checkoutId: fact,
    reason: fact,
    field: fact.describe('The field of what was sent that is not as it should be'),
    left: fact.describe('What is left of a payment that was to be refunded'),
    visitorCountry: z
      .enum(worldCountries)
      .exactOptional()
      .describe('Where the visitor seems to be'),
  })
  .meta({ id: 'Refusal', description: 'Why a call was not carried out.' })
