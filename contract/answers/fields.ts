import { z } from 'zod'

/*
 * What calls answer, as schemas: the API reference is made of them, and tests compare them with real answers. Pages
 * import only the types that follow from them, so that no browser loads a schema it does not use.
 */

export const id = z.guid()
export const time = z.iso.datetime()
export const day = z.iso.date()
export const count = z.int().min(0)
/** Two decimals: '1234.50'. */
export const money = z.string().regex(/^\d+\.\d\d$/)

/** For a type that is written by hand, in a file that buyers' pages load: a schema that differs does not compile. */
export function exactly<Type>() {
  return <Schema extends z.ZodType<Type>>(
    schema: Type extends z.output<Schema> ? Schema : never,
  ): Schema => schema
}
