import type { z } from 'zod'
import type { linkActivity, linkHealth } from './answers/products.ts'

/** Whether checkout links work, as far as the server can tell; whether pictures load is for a browser to find out. */
export type LinkHealth = z.infer<typeof linkHealth>

/** One thing that a checkout link needs. `warn`: works, but not as it should. `fail`: nobody can buy. */
export type HealthCheck = LinkHealth['shop'][number]

/** When a link was last used. */
export type LinkActivity = z.infer<typeof linkActivity>
