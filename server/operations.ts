import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import { adminOperations } from './admin/operations.ts'
import { analyticsOperations } from './analytics/operations.ts'
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
import { orderOperations } from './orders/operations.ts'
import { privacyOperations } from './privacy/operations.ts'
import { settingsOperations } from './shop-settings/operations.ts'
import { uploadOperations } from './uploads/operations.ts'

const monitoring = defineOperations('Monitoring', 'public', {
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
  ...toOperations([...linkHealthCalls, ...previewCalls]),
  ...toOperations([...checkoutCalls, ...webhookCalls]),
  ...toOperations([...reviewCalls, ...testDataCalls]),
  ...privacyOperations,
  ...analyticsOperations,
  ...adminOperations,
  ...settingsOperations,
  ...toOperations([...healthCalls, ...selfCheckCalls]),
  ...monitoring,
}
