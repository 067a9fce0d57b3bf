import './checkout.css'

import { createRoot, hydrateRoot } from 'react-dom/client'

import type { PublicOrder } from '#contract/orders.ts'

import { CheckoutPage } from './checkout-page.tsx'
import { pageDataId, pageRootId, readPageData, toastsId } from './page-data.ts'
import { wireShell } from './shell.ts'
import { useThankYouView } from '#web/storefront/thank-you/use-thank-you-view.ts'
import { Toaster } from './toaster.tsx'

const root = document.getElementById(pageRootId)
const toasts = document.getElementById(toastsId)
const json = document.getElementById(pageDataId)?.textContent
if (!root || !toasts || !json) throw new Error('The server sent a page without its places')

wireShell()
const data = readPageData(json)
if (data.page === 'checkout') hydrateRoot(root, <CheckoutPage data={data} />)
createRoot(toasts).render(
  <>
    <Toaster />
    {data.page === 'thank-you' && <ThankYouView order={data.order} />}
  </>,
)

/** The page itself is plain HTML; that it was seen is told all the same. */
function ThankYouView({ order }: { order: PublicOrder }) {
  useThankYouView(order)
  return null
}
