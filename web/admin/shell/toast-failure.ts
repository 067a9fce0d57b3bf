import { handleUnauthorized } from '#web/admin/session/session.ts'
import { toast } from '#web/ui/use-toast.ts'

/** Returns whether it succeeded. */
export async function toastFailure(title: string, action: Promise<void>): Promise<boolean> {
  try {
    await action
    return true
  } catch (error) {
    if (!(error instanceof Error && handleUnauthorized(error)))
      toast({ title, description: 'Please try again in a moment.', variant: 'destructive' })
    return false
  }
}
