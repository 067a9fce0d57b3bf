/** What happens on the way to an order. */
export const eventTypes = ['checkout_view', 'checkout_complete', 'thank_you_view'] as const
export type EventType = (typeof eventTypes)[number]
