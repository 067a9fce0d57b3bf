import { accountCalls } from './admin/account-calls.ts'
import { loginCalls } from './admin/login-calls.ts'
import { peopleCalls } from './admin/people-calls.ts'
import { analyticsCalls } from './analytics/calls.ts'
import { catalogCalls } from './catalog/calls.ts'
import { linkHealthCalls } from './checks/link-health.ts'
import { noticeCalls } from './checks/notices.ts'
import { healthCalls } from './checks/readiness.ts'
import { checkoutCalls } from './checkouts/calls.ts'
import { orderRefundCalls } from './checkouts/order-refund-calls.ts'
import { previewCalls } from './checkouts/checkout-page.ts'
import { reviewCalls } from './checkouts/review-calls.ts'
import { testDataCalls } from './checkouts/test-data.ts'
import { webhookCalls } from './checkouts/webhook.ts'
import { discountCalls } from './discounts/calls.ts'
import type { CallDefinition } from './http/calls.ts'
import { openApiCalls } from './http/openapi.ts'
import { selfCheckCalls } from './http/self-check.ts'
import { linkCalls } from './links/calls.ts'
import { newsCalls } from './news/calls.ts'
import { orderCalls } from './orders/calls.ts'
import { orderPanelCalls } from './orders/panel-calls.ts'
import { paperCalls } from './paper/calls.ts'
import { withdrawalCalls } from './orders/withdrawal-calls.ts'
import { privacyCalls } from './privacy/calls.ts'
import { settingsCalls } from './shop-settings/calls.ts'
import { receiverCalls, uploadCalls } from './uploads/calls.ts'

/** The calls of the shop, in the order of the API reference. */
export const calls = [
  ...catalogCalls,
  ...discountCalls,
  ...linkHealthCalls,
  ...previewCalls,
  ...linkCalls,
  ...uploadCalls,
  ...orderCalls,
  ...orderPanelCalls,
  ...orderRefundCalls,
  ...paperCalls,
  ...withdrawalCalls,
  ...checkoutCalls,
  ...webhookCalls,
  ...reviewCalls,
  ...testDataCalls,
  ...privacyCalls,
  ...analyticsCalls,
  ...loginCalls,
  ...accountCalls,
  ...peopleCalls,
  ...noticeCalls,
  ...newsCalls,
  ...settingsCalls,
  ...healthCalls,
  ...selfCheckCalls,
  ...openApiCalls,
]

/** All calls, also those that take bytes, which only a shop that keeps pictures on its disk has. */
export const documentedCalls: CallDefinition[] = [...calls, ...receiverCalls]
