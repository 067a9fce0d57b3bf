/** Every URL of the shop. Pages first, then calls; the server mounts them, the browser asks for them. */
export const pages = {
  login: '/login',
  home: '/',
  products: '/products',
  orders: '/orders',
  fulfillment: '/fulfillment',
  analytics: '/analytics',
} as const

/** Pages of the back-office. Anything else that is not a public page is 'Page Not Found'. */
export const adminPages = [
  pages.home,
  pages.products,
  pages.orders,
  pages.fulfillment,
  pages.analytics,
] as const

export const calls = {
  adminUser: '/api/admin/user',
  adminLogin: '/api/admin/login',
  adminLogout: '/api/admin/logout',
  healthLive: '/api/health/live',
  healthReady: '/api/health/ready',
} as const
