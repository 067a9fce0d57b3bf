import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import { accountCalls } from './admin/account-calls.ts'
import { loginCalls } from './admin/login-calls.ts'
import { noticeCalls } from './admin/notice-calls.ts'
import { peopleCalls } from './admin/people-calls.ts'
import { analyticsOperations } from './analytics/operations.ts'
import { catalogCalls } from './catalog/calls.ts'
import { checkoutOperations } from './checkouts/operations.ts'
import { defineOperations, toOperations } from './http/openapi.ts'
import { selfCheckAnswer } from './http/self-check.ts'
import { orderOperations } from './orders/operations.ts'
import { privacyOperations } from './privacy/operations.ts'
import { settingsCalls } from './shop-settings/calls.ts'
import { uploadOperations } from './uploads/operations.ts'

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
  ...uploadOperations,
  ...orderOperations,
  ...checkoutOperations,
  ...privacyOperations,
  ...analyticsOperations,
  ...toOperations([...loginCalls, ...accountCalls, ...peopleCalls, ...noticeCalls]),
  ...toOperations(settingsCalls),
  ...monitoring,
}
