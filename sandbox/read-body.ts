import type { z } from 'zod'
import { invalidFields, invalidRequest, type FieldError } from './refusals.ts'

/** The body, checked once; otherwise SumUp's list of wrong fields (alone when it is one). */
export function readBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidRequest()
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const params = new Set(result.error.issues.map(({ path }) => path.join('.')))
  throw invalidFields([...params].map((param) => fieldError(param, valueAt(body, param))))
}

export function fieldError(param: string, value: unknown): FieldError {
  const missing = value === undefined || value === null || value === ''
  return { message: 'Validation error', error_code: missing ? 'MISSING' : 'INVALID', param }
}

function valueAt(body: unknown, param: string): unknown {
  return param
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null
          ? (value as Record<string, unknown>)[name]
          : undefined,
      body,
    )
}
