import type { ToastContent } from '#web/ui/toast-state.ts'
import { toast } from '#web/ui/use-toast.ts'

/** Only one is shown at a time, so the last one is all that there is to take back. */
let last: ReturnType<typeof toast> | undefined

export function say(content: ToastContent): void {
  last = toast(content)
}

/** What was said of one try is out of date when the next begins. */
export function hush(): void {
  last?.dismiss()
}
