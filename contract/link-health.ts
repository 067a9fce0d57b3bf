/** One thing that a checkout link needs. `warn`: works, but not as it should. `fail`: nobody can buy. */
export type HealthCheck = { name: string; status: 'ok' | 'warn' | 'fail'; text: string }

/** Whether checkout links work, as far as the server can tell; whether pictures load is for a browser to find out. */
export type LinkHealth = {
  /** The same for all products. */
  shop: HealthCheck[]
  /** By the product's id. */
  products: Record<string, HealthCheck[]>
}

/** When a link was last used. */
export type LinkActivity = {
  /** In the last 30 days, or null. */
  lastVisitAt: string | null
  lastSaleAt: string | null
}
