import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import { adminOperations } from './admin/operations.ts'
import { analyticsCalls } from './analytics/calls.ts'
import { catalogCalls } from './catalog/calls.ts'
import { checkoutCalls } from './checkouts/calls.ts'
import { previewCalls } from './checkouts/pages.ts'
import { reviewCalls } from './checkouts/review-calls.ts'
import { testDataCalls } from './checkouts/test-data.ts'
import { webhookCalls } from './checkouts/webhook.ts'
import { linkHealthCalls } from './doctor/link-health.ts'
import { healthCalls } from './http/health.ts'
import { defineOperations, toOperations } from './http/openapi.ts'
import { selfCheckCalls } from './http/self-check.ts'
import { orderCalls } from './orders/calls.ts'
import { privacyCalls } from './privacy/calls.ts'
import { settingsOperations } from './shop-settings/operations.ts'
import { receiverCalls, uploadCalls } from './uploads/calls.ts'

const monitoring = defineOperations('Monitoring', 'public', {
  [`GET ${apiRoutes.openapi}`]: {
    summary: 'This reference, as an OpenAPI 3.1 document.',
    answers: { 200: z.looseObject({ openapi: z.string() }) },
  },
})

/** All calls of the shop, in the order of the reference. */
export const operations = {
  ...toOperations(catalogCalls),
  ...toOperations([...uploadCalls, ...receiverCalls]),
  ...toOperations(orderCalls),
  ...toOperations([...linkHealthCalls, ...previewCalls]),
  ...toOperations([...checkoutCalls, ...webhookCalls]),
  ...toOperations([...reviewCalls, ...testDataCalls]),
  ...toOperations(privacyCalls),
  ...toOperations(analyticsCalls),
  ...adminOperations,
  ...settingsOperations,
  ...toOperations([...healthCalls, ...selfCheckCalls]),
  ...monitoring,
}
