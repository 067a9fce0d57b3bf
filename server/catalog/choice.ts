import { randomUUID } from 'node:crypto'
import type { Chosen } from '#contract/orders.ts'
import type { ChoiceContent, Product } from '#contract/products.ts'
import type { PageChoice } from '#contract/public-pages.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { products, StoredChoice, StoredValue } from '#server/db/schema.ts'
import { countValue, findWanted, listPieces, notCountedValue, type Pieces } from './stock.ts'

type ProductRow = typeof products.$inferSelect

/** What buyers of a product choose one of, such as a size: how it is stored, shown and chosen. */

/**
 * The choice as the owner wants it. A value that the product has keeps its id, and its picture and pieces unless they are
 * changed. So does one that was removed and is added again while a sale holds a piece of it: it is the same piece.
 */
export async function describeChoice(
  tx: Db,
  before: Pick<ProductRow, 'id' | 'choice'>,
  content: ChoiceContent,
  isTest: boolean,
): Promise<StoredChoice> {
  const pieces = before.choice ? await listPieces(tx, [before.id], { isTest }) : undefined
  const values: StoredValue[] = []
  const held = await listHeldValues(tx, before.id)
  // One id twice would be one value with two names.
  const isFree = (id: string) =>
    !values.some((one) => one.id === id) && !content.values.some((one) => one.id === id)
  for (const { id, name, imageUrl, ...said } of content.values) {
    const isSameName = (one: { name: string }) => one.name.toLowerCase() === name.toLowerCase()
    const known =
      before.choice?.values.find((one) => one.id === id && !values.some((own) => own.id === id)) ??
      before.choice?.values.find((one) => isSameName(one) && isFree(one.id))
    const returned = held.find((one) => isSameName(one) && isFree(one.id))
    const base = known ?? {
      id: returned?.id ?? randomUUID(),
      imageUrl: null,
      ...notCountedValue,
    }
    const wanted = findWanted(known && pieces?.get(base.id), said)
    const counted = wanted === undefined ? undefined : await countValue(tx, base.id, wanted)
    const picture = imageUrl === undefined ? base.imageUrl : imageUrl
    values.push({ ...base, ...counted, name, imageUrl: picture })
  }
  return { name: content.name, values }
}

/** Values of which sales hold pieces, also those that the product has no more. */
async function listHeldValues(db: Db, productId: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select distinct chosen -> 'choice' ->> 'id' as id, chosen -> 'choice' ->> 'value' as name
    from checkouts where product_id = ${productId}::uuid and held_at is not null and chosen is not null`)
  return rows
}

/** What is shown of a choice; of its pieces only where they are given. */
export function showChoice(
  { name, values }: StoredChoice,
  pieces?: Map<string, Pieces>,
): NonNullable<Product['choice']> {
  return {
    name,
    values: values.map((value) => ({
      id: value.id,
      name: value.name,
      imageUrl: value.imageUrl,
      ...showPieces(pieces?.get(value.id)),
    })),
  }
}

/** Of a product, or of a value; {} where they are not counted. */
export function showPieces(pieces: Pieces | undefined) {
  return pieces ? { ...pieces, left: Math.max(0, pieces.left) } : {}
}

/** Buyers are told of so many or fewer, where the owner wants it. */
const maxToldLeft = 5

/** What buyers are told of a number of pieces. */
export function describeLeft(
  left: number | undefined,
  { showsLeft }: Pick<ProductRow, 'showsLeft'>,
): { isSoldOut?: true; fewLeft?: number } {
  if (left === undefined) return {}
  if (left < 1) return { isSoldOut: true }
  return showsLeft && left <= maxToldLeft ? { fewLeft: left } : {}
}

/** As the checkout shows it. */
export function showPageChoice(
  product: Pick<ProductRow, 'choice' | 'showsLeft'>,
  left: Map<string, number>,
): PageChoice | undefined {
  const { choice } = product
  if (!choice) return undefined
  const values = choice.values.map(({ id, name, imageUrl }) => ({
    id,
    name,
    imageUrl,
    ...describeLeft(left.get(id), product),
  }))
  return { name: choice.name, values }
}

/** As the checkout of an unfinished product shows it. */
export function previewChoice({ name, values }: ChoiceContent): PageChoice {
  return {
    name,
    values: values.map((value, index) => ({
      id: String(index),
      name: value.name,
      imageUrl: value.imageUrl ?? null,
    })),
  }
}

/**
 * The value that a buyer sent, and the picture that shows it. Refuses one that is not offered, or not by the name that was
 * shown, and that none was sent where one has to be chosen.
 */
export function findChosen(
  { choice, imageUrl }: Pick<ProductRow, 'choice' | 'imageUrl'>,
  valueId: string | undefined,
  shownName?: string,
): Chosen | undefined {
  const facts = { field: 'choice' }
  if (valueId === undefined) {
    if (choice) throw new Refusal('choice-missing', { facts })
    return undefined
  }
  const value = choice?.values.find(({ id }) => id === valueId.toLowerCase())
  const isOther = shownName !== undefined && shownName !== value?.name
  if (!choice || !value || isOther) throw new Refusal('choice-gone', { facts })
  const chosen = { id: value.id, name: choice.name, value: value.name }
  return { choice: chosen, imageUrl: value.imageUrl ?? imageUrl }
}
