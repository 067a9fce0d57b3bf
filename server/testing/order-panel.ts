import { randomUUID } from 'node:crypto'
import { apiRoutes } from '#contract/paths.ts'
import { orderNotes, withdrawals } from '#server/db/order-schema.ts'
import { getAdminOrder } from '#server/orders/orders.ts'
import type { SaleShop } from './sale.ts'

type PanelCall = [
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  route: string,
  options: { params: Record<string, string>; payload?: object },
]

/** What the panel of one order can ask for, each as it succeeds. From now on the shop has a mail server, which is away. */
export async function preparePanelCalls(shop: SaleShop, id: string): Promise<PanelCall[]> {
  shop.shop.config.mail.smtpUrl = 'smtp://127.0.0.1:1'
  const { customerEmail, customerPhone, shippingAddress } = await getAdminOrder(shop.db, id)
  const params = { id }
  const noteId = randomUUID()
  await shop.db.insert(orderNotes).values({ id: noteId, orderId: id, author: 'admin', text: 'A' })
  const statement = { name: 'Anna', orderNumber: id, email: 'anna@example.com' }
  const withdrawalId = randomUUID()
  await shop.db.insert(withdrawals).values({ ...statement, id: withdrawalId, orderId: id })
  const handled = { params: { id: withdrawalId }, payload: { note: 'Agreed' } }
  const seen = { customerEmail, customerPhone, shippingAddress }
  const parcel = { carrier: 'other', trackingUrl: 'https://parcels.example/1' }
  return [
    ['GET', apiRoutes.orderTimeline, { params }],
    ['PUT', apiRoutes.orderShipment, { params, payload: parcel }],
    ['DELETE', apiRoutes.orderShipment, { params }],
    ['PUT', apiRoutes.orderCustomer, { params, payload: { ...seen, before: seen } }],
    ['GET', apiRoutes.orderNotes, { params }],
    ['POST', apiRoutes.orderNotes, { params, payload: { text: 'B' } }],
    ['DELETE', apiRoutes.orderNote, { params: { id, noteId } }],
    ['POST', apiRoutes.orderConfirmation, { params }],
    ['GET', `${apiRoutes.paper}?ids=${id}`, { params }],
    ['GET', apiRoutes.withdrawals, { params }],
    ['POST', apiRoutes.withdrawalHandled, handled],
    ['POST', apiRoutes.withdrawalsDismissed, { params, payload: { newest: withdrawalId } }],
    ['GET', apiRoutes.withdrawalForm, { params }],
    ['POST', apiRoutes.withdrawalForm, { params, payload: statement }],
    ['POST', apiRoutes.withdrawals, { params, payload: { ...statement, orderNumber: '0' } }],
  ]
}
