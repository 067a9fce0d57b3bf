import './checkout.css'

import { createRoot, hydrateRoot } from 'react-dom/client'

import type { ThankYouPageData } from '#contract/public-pages.ts'

import { CheckoutPage } from './checkout-page.tsx'
import { pageDataId, pageRootId, readPageData, toastsId } from './page-data.ts'
import { wireShell } from './shell.ts'
import { Toaster } from './toaster.tsx'

const root = document.getElementById(pageRootId)
const toasts = document.getElementById(toastsId)
const json = document.getElementById(pageDataId)?.textContent
if (!root || !toasts || !json) throw new Error('The server sent a page without its places')

wireShell()
createRoot(toasts).render(<Toaster />)
const data = readPageData(json)
if (data.page === 'checkout') hydrateRoot(root, <CheckoutPage data={data} />)
else void thank(root, data)

/** Apart, so that whoever comes to pay does not wait for it. */
async function thank(place: HTMLElement, shown: ThankYouPageData) {
  const { ThankYouPage } = await import('./thank-you/thank-you-page.tsx')
  hydrateRoot(place, <ThankYouPage data={shown} />)
}
