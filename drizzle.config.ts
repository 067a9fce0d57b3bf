import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './server/db/schema.ts',
    './server/db/admin-schema.ts',
    './server/db/analytics-schema.ts',
    './server/db/node-schema.ts',
    './server/db/order-schema.ts',
    './server/db/payment-schema.ts',
  ],
  out: './server/db/migrations',
})
