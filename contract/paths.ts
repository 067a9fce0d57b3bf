/** Every URL of the shop. Pages first, then calls; the server mounts them, the browser asks for them. */
export const pages = {
  login: '/login',
  home: '/',
  products: '/products',
  orders: '/orders',
  fulfillment: '/fulfillment',
  analytics: '/analytics',
} as const

/** The login page's fragment with an invitation's token: browsers do not send fragments and proxies do not log them. */
export const inviteFragment = '#invite='

/** Pages that everyone may open. */
export const publicPages = {
  checkout: '/checkout/:id',
  thankYou: '/thank-you/:id',
} as const

/** Pages of the back-office. Anything else that is not a public page is 'Page Not Found'. */
export const adminPages = [
  pages.home,
  pages.products,
  pages.orders,
  pages.fulfillment,
  pages.analytics,
] as const

/** The routes that buyers' pages call, apart so that their script carries no others. */
export const storefrontRoutes = {
  createCheckout: '/api/sumup/create-checkout',
  checkout: '/api/sumup/checkouts/:checkoutId',
  checkoutDetails: '/api/sumup/checkouts/:checkoutId/details',
  /** The buyer gives up a card that may be at the bank, for a new form. */
  startOver: '/api/sumup/checkouts/:checkoutId/start-over',
  orders: '/api/orders',
  track: '/api/analytics/track',
  /** Statements of buyers who withdraw; admins read them there. */
  withdrawals: '/api/withdrawals',
  /** The same as a form that needs no script. */
  withdrawalForm: '/api/withdrawals/form',
} as const

export const apiRoutes = {
  ...storefrontRoutes,
  adminUser: '/api/admin/user',
  adminLogin: '/api/admin/login',
  adminLogout: '/api/admin/logout',
  ownAccount: '/api/admin/account',
  ownPassword: '/api/admin/account/password',
  ownEmail: '/api/admin/account/email',
  secondFactor: '/api/admin/account/second-factor',
  secondFactorConfirm: '/api/admin/account/second-factor/confirm',
  secondFactorOff: '/api/admin/account/second-factor/off',
  /** The admin's own; DELETE ends all but the current one. */
  adminSessions: '/api/admin/sessions',
  adminSession: '/api/admin/sessions/:id',
  admins: '/api/admin/admins',
  adminDisable: '/api/admin/admins/:id/disable',
  adminEnable: '/api/admin/admins/:id/enable',
  adminRemove: '/api/admin/admins/:id/remove',
  invites: '/api/admin/invites',
  invite: '/api/admin/invites/:id',
  /** For the invited person, who has no account yet. */
  acceptInvite: '/api/admin/invites/accept',
  /** Tells whether the link still works, before anything is typed. */
  checkInvite: '/api/admin/invites/check',
  auditLog: '/api/admin/audit-log',
  /** Tells a page what is new since it was read. */
  news: '/api/news',
  settings: '/api/settings',
  setup: '/api/settings/setup',
  setupFolding: '/api/settings/setup/folding',
  settingsSection: '/api/settings/:section',
  /** Sends a mail to the signed-in admin. */
  testMail: '/api/settings/mail/test',
  /** A mail to a buyer with example data, as HTML. */
  mailPreview: '/api/settings/texts/preview',
  addressCheck: '/api/settings/address/check',
  sumupCheck: '/api/settings/sumup/check',
  notices: '/api/admin/notices',
  /** The owner has read a notice that stays until then. */
  noticeDismiss: '/api/admin/notices/:kind/dismiss',
  /** The owner's word after a restore, before payments since the backup are known. */
  sellCounted: '/api/admin/notices/restored/sell-counted',
  /** The admin has read these notices; they stay as titles. */
  noticesFold: '/api/admin/notices/fold',
  products: '/api/products',
  product: '/api/products/:id',
  /** Whether the checkout links work. */
  linkHealth: '/api/products/health',
  linkActivity: '/api/products/:id/activity',
  /** The checkout page of an unfinished product, as HTML. */
  productPreview: '/api/products/preview',
  /** What messengers show of a link: the picture, and all of it for an unfinished product. */
  linkPicture: '/api/products/:id/link-picture.jpg',
  linkPreview: '/api/products/link-preview',
  productPause: '/api/products/:id/pause',
  productResume: '/api/products/:id/resume',
  /** Undoes a deletion. */
  productRestore: '/api/products/:id/restore',
  /** Codes in checkout links that make a product cheaper. */
  discountCodes: '/api/admin/discount-codes',
  discountCode: '/api/admin/discount-codes/:id',
  customDomain: '/api/custom-domain',
  upload: '/api/objects/upload',
  object: '/api/objects/:key',
  /** A logo on a square. */
  icon: '/api/objects/:key/icon.png',
  /** Where bytes arrive when pictures are kept on disk; with S3 they go straight to the bucket. */
  incomingFile: '/api/objects/incoming/:key',
  incomingPart: '/api/objects/incoming/:key/:uploadId/:partNumber',
  /** The family that Uppy's aws-s3 asks below its `endpoint`, /api/objects/. */
  uploadParameters: '/api/objects/s3/params',
  temporaryCredentials: '/api/objects/s3/sts',
  multipart: '/api/objects/s3/multipart',
  multipartUpload: '/api/objects/s3/multipart/:uploadId',
  multipartPart: '/api/objects/s3/multipart/:uploadId/:partNumber',
  multipartComplete: '/api/objects/s3/multipart/:uploadId/complete',
  paymentWebhook: '/api/sumup/webhook',
  /** Payments that need attention; with ?archive=true those that were dealt with, with ?tests=true tests too. */
  review: '/api/sumup/review',
  reviewOrder: '/api/sumup/review/:id/order',
  reviewRefund: '/api/sumup/review/:id/refund',
  reviewDismiss: '/api/sumup/review/:id/dismiss',
  /** Undoes a dismissal. */
  reviewRestore: '/api/sumup/review/:id/restore',
  orderCounts: '/api/orders/summary',
  /** How many orders a search finds. */
  foundOrders: '/api/orders/found',
  /** All orders of a search, as little of each as selecting them needs. */
  orderMarks: '/api/orders/marks',
  /** The orders with these numbers, short ones or beginnings of ids. */
  matchedOrders: '/api/orders/match',
  orderExport: '/api/orders/export.csv',
  /** Packing slips and pick lists of some orders. */
  paper: '/api/orders/paper',
  /** The latest changes of many orders at once. */
  bulkChanges: '/api/orders/bulk-changes',
  bulkChangeUndo: '/api/orders/bulk-changes/:id/undo',
  testData: '/api/orders/tests',
  /** Deletes all test orders, with their payments and figures. */
  removeTestData: '/api/orders/tests/remove',
  order: '/api/orders/:id',
  orderStatus: '/api/orders/:id/status',
  /** Carrier and tracking of an order. */
  orderShipment: '/api/orders/:id/shipment',
  orderTimeline: '/api/orders/:id/timeline',
  /** Email, name, phone and delivery address, corrected by an admin. */
  orderCustomer: '/api/orders/:id/customer',
  /** Sends the confirmation once more. */
  orderConfirmation: '/api/orders/:id/confirmation',
  orderNotes: '/api/orders/:id/notes',
  orderNote: '/api/orders/:id/notes/:noteId',
  /** What was refunded of an order from here, and what can be. */
  orderRefunds: '/api/orders/:id/refunds',
  orderRefund: '/api/orders/:id/refund',
  withdrawalHandled: '/api/withdrawals/:id/handled',
  /** Dismisses all statements that fit no order. */
  withdrawalsDismissed: '/api/withdrawals/dismissed',
  /** Everything stored about one customer, by e-mail in the body: it does not belong in a URL. */
  customerExport: '/api/customers/export',
  customerErase: '/api/customers/erase',
  analyticsEvents: '/api/analytics/events',
  analyticsSummary: '/api/analytics/summary',
  /** The reference of all calls, as OpenAPI. */
  openapi: '/api/openapi.json',
  healthLive: '/api/health/live',
  healthReady: '/api/health/ready',
  /** For npm run doctor. */
  selfCheck: '/api/health/self-check',
  /** Where Prometheus looks by default. */
  metrics: '/metrics',
} as const

/** A call's path with its parts filled in: pathOf(apiRoutes.product, { id }). */
export function pathOf(path: string, parts: Record<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(parts[name] ?? ''))
}

/** The back-office with an order open. */
export function adminOrderPath(orderId: string): string {
  return `${pages.orders}?${new URLSearchParams({ order: orderId })}`
}

/** The page that thanks for an order. */
export function thankYouPath(orderId: string): string {
  return `/thank-you/${orderId}`
}

/** The parameter of a checkout link with a discount code. */
export const codeParameter = 'code'

/** The parameter of a checkout link with a value of the product's choice, by its id or name. */
export const choiceParameter = 'choice'

/** The value that such a link means. */
export function findLinkedValue<Value extends { id: string; name: string }>(
  values: readonly Value[] = [],
  linked?: string | null,
): Value | undefined {
  const text = linked?.trim().toLowerCase()
  return values.find(({ id, name }) => id === text || name.toLowerCase() === text)
}

/** The parameter by which SumUp names the checkout when a payment leads back to the page. */
export const returnedParameter = 'checkout_id'

/** The page where a product is bought. */
export function checkoutPath(productId: string): string {
  return `/checkout/${productId}`
}
