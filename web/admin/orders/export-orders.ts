import { apiRoutes } from '#contract/paths.ts'
import { handleUnauthorized } from '#web/admin/session/session.ts'
import { callServer } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

/** Downloads the CSV at this address. Browsers do not report why a download failed, so the session is checked first. */
export async function exportOrders(href: string = apiRoutes.orderExport): Promise<void> {
  await toastFailure('The export could not be started', download(href))
}

async function download(href: string): Promise<void> {
  await callServer('GET', apiRoutes.adminUser)
  Object.assign(document.createElement('a'), { href, download: '' }).click()
}

export async function toastFailure(title: string, action: Promise<void>): Promise<void> {
  try {
    await action
  } catch (error) {
    if (error instanceof Error && handleUnauthorized(error)) return
    toast({ title, description: 'Please try again in a moment.', variant: 'destructive' })
  }
}
