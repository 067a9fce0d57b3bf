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
  products: '/api/products',
  product: '/api/products/:id',
  customDomain: '/api/custom-domain',
  upload: '/api/objects/upload',
  healthLive: '/api/health/live',
  healthReady: '/api/health/ready',
} as const

/** A call's path with its parts filled in: pathOf(calls.product, { id }). */
export function pathOf(path: string, parts: Record<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(parts[name] ?? ''))
}

/** The page where a product is bought. */
export function checkoutPath(productId: string): string {
  return `/checkout/${productId}`
}
