import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import { adminOperations } from './admin/operations.ts'
import { analyticsCalls } from './analytics/calls.ts'
import { catalogCalls } from './catalog/calls.ts'
import { checkoutOperations } from './checkouts/operations.ts'
import { defineOperations, toOperations } from './http/openapi.ts'
import { selfCheckAnswer } from './http/self-check.ts'
import { orderCalls } from './orders/calls.ts'
import { privacyCalls } from './privacy/calls.ts'
import { settingsOperations } from './shop-settings/operations.ts'
import { receiverCalls, uploadCalls } from './uploads/calls.ts'

const monitoring = defineOperations('Monitoring', 'public', {
  [`GET ${apiRoutes.healthLive}`]: {
    summary: 'Answers while the process runs.',
    answers: { 200: z.object({ status: z.literal('live') }) },
  },
  [`GET ${apiRoutes.healthReady}`]: {
    summary: 'Answers 200 while the shop can sell, otherwise 503 with the reason.',
    answers: { 200: z.object({ status: z.literal('ready'), schemaVersion: z.int() }) },
  },
  [`GET ${apiRoutes.selfCheck}`]: {
    access: 'backoffice',
    summary: 'Tells `npm run doctor` how the shop sees its request.',
    note: 'The answer is encrypted with the secret of the shop, so that nobody else can read it. Without a challenge there is no such call.',
    answers: { 200: selfCheckAnswer },
  },
  [`GET ${apiRoutes.openapi}`]: {
    summary: 'This reference, as an OpenAPI 3.1 document.',
    answers: { 200: z.looseObject({ openapi: z.string() }) },
  },
})

/** All calls of the shop, in the order of the reference. */
export const operations = {
  ...toOperations(catalogCalls),
  ...toOperations(uploadCalls),
  ...toOperations(receiverCalls),
  ...toOperations(orderCalls),
  ...checkoutOperations,
  ...toOperations(privacyCalls),
  ...toOperations(analyticsCalls),
  ...adminOperations,
  ...settingsOperations,
  ...monitoring,
}
