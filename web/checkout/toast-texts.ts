import type { ToastContent } from '#web/ui/toast-state.ts'

/** What the checkout says in passing. All of it is bad news, so all of it is destructive. */
export const widgetError = bad(
  'Payment widget error',
  'Failed to load payment form. Please refresh the page.',
)
export const notReady = bad('Payment not ready', 'Please wait for the payment form to load.')
export const incomplete = bad(
  'Please complete all required fields',
  'Fill in all required information before paying.',
)
export const submissionFailed = bad(
  'Payment submission failed',
  'Please try again or refresh the page.',
)
export const orderFailed = bad('Order failed', 'Failed to create order. Please try again.')

export function paymentFailed(reason: string | undefined): ToastContent {
  return bad('Payment failed', reason ?? 'Please check your card details and try again.')
}

/** The server's own sentence about a field it does not take. */
export function notTaken(sentence: string | undefined): ToastContent {
  return sentence ? { ...incomplete, description: sentence } : incomplete
}

function bad(title: string, description: string): ToastContent {
  return { title, description, variant: 'destructive' }
}
