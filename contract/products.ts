/** A price from a certain quantity on. Stored with the product; the checkout always sells one. */
export type QuantityTier = { quantity: number; price: string }
