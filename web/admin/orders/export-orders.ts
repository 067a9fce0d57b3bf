import { apiRoutes } from '#contract/paths.ts'
import { toastFailure } from '#web/admin/shell/toast-failure.ts'
import { callServer } from '#web/api.ts'

/** Downloads the CSV at this address. Browsers do not report why a download failed, so the session is checked first. */
export async function exportOrders(href: string = apiRoutes.orderExport): Promise<void> {
  await toastFailure('The export could not be started', download(href))
}

async function download(href: string): Promise<void> {
  await callServer('GET', apiRoutes.adminUser)
  Object.assign(document.createElement('a'), { href, download: '' }).click()
}
