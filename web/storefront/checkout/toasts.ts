import type { ToastContent } from '#web/ui/toast-state.ts'
import { toast } from '#web/ui/use-toast.ts'

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

/** Only for a card that SumUp declined or never had. */
export function paymentFailed(providerMessage?: string): ToastContent {
  return bad('Payment failed', providerMessage ?? 'Please check your card details and try again.')
}

/** Only where nothing was taken and nothing is at the bank. */
export const paymentExpired = paymentFailed(
  'The payment form had expired and nothing was charged. Please try again.',
)

/** The server's own sentence about a field it does not take. */
export function notTaken(sentence: string | undefined): ToastContent {
  return sentence ? { ...incomplete, description: sentence } : incomplete
}

function bad(title: string, description: string): ToastContent {
  return { title, description, variant: 'destructive' }
}

/** Only one is shown at a time, so the last one is all that there is to take back. */
let last: ReturnType<typeof toast> | undefined

export function showToast(content: ToastContent): void {
  last = toast(content)
}

/** What was said of one try is out of date when the next begins. */
export function dismissToast(): void {
  last?.dismiss()
}
