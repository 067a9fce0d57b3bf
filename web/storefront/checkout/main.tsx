import './checkout.css'

import { createRoot, hydrateRoot } from 'react-dom/client'

import { enhanceStaticHtml } from '#web/storefront/shell/enhance.ts'
import { speak } from '#web/storefront/shell/language.ts'
import { type PageData, pageDataId, pageRootId, toastsId } from '#web/storefront/shell/page-data.ts'
import { Toaster } from '#web/storefront/shell/toaster.tsx'

import { CheckoutPage } from './checkout-page.tsx'
import { deleteSale } from './storage.ts'
import { track } from './checkout-api.ts'

const root = document.getElementById(pageRootId)
const toasts = document.getElementById(toastsId)
const json = document.getElementById(pageDataId)?.textContent
if (!root || !toasts || !json) throw new Error('The page lacks its root, toasts or data element')

const data = JSON.parse(json) as PageData
speak(data.spoken)
enhanceStaticHtml()
createRoot(toasts).render(<Toaster />)
if (data.page === 'checkout') {
  track({ eventType: 'checkout_view', productId: data.product.id })
  hydrateRoot(root, <CheckoutPage data={data} />)
} else {
  const { id, productId } = data.order
  deleteSale(productId)
  track({ eventType: 'thank_you_view', productId, orderId: id })
}
