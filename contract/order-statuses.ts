export const orderStatuses = ['pending', 'processing', 'shipped', 'completed'] as const
export type OrderStatus = (typeof orderStatuses)[number]
