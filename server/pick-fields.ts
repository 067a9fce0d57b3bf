import type { z } from 'zod'

/** The fields that a schema names, and no others: what leaves the server, or is kept, is decided there. */
export function pickFields<Schema extends z.ZodObject>(
  { shape }: Schema,
  value: z.output<Schema>,
): z.output<Schema> {
  const picked: Record<string, unknown> = {}
  for (const name of Object.keys(shape)) if (value[name] !== undefined) picked[name] = value[name]
  return picked as z.output<Schema>
}
