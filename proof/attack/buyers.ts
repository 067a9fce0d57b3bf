import { apiRoutes, publicPages } from '#contract/paths.ts'
import { checkouts } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop, type SaleShop } from '#server/testing/sale.ts'
import { createFaults, type Findings } from './findings.ts'

/**
 * One buyer's checkout under way and paid order, asked for on every public route by that buyer, by another one who has bought
 * as well, and by people without a purchase. Whose an order is, routes do not declare: what tells is what they answer.
 */
export async function attackBuyers(): Promise<Findings> {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const faults = createFaults(
    'checkouts that answered somebody else',
    'answers with the details of another buyer',
    'buyers who do not see what is theirs',
    'checkouts that somebody else changed',
  )
  const secrets = ['Olga Ownermann', 'olga@example.com', '+49 30 777', 'Eigenweg 7']
  const [customerName, customerEmail, customerPhone, address] = secrets
  const shippingAddress = { ...delivery.shippingAddress, address, phone: customerPhone }
  const details = { ...delivery, customerName, customerEmail, customerPhone, shippingAddress }
  const owner = await buyAndOpen(shop, details)
  const other = await buyAndOpen(shop, delivery)
  const read = () => shop.db.select().from(checkouts).orderBy(checkouts.id)
  const before = JSON.stringify(await read())
  let cells = 0
  let open = 0

  async function ask(name: string, cookie: string, isOwner: boolean): Promise<void> {
    for (const [route, access] of shop.app.accessOfRoutes) {
      const [methodNames = '', url = ''] = route.split(' ')
      if (access !== 'public' || url.startsWith('/sandbox/')) continue
      for (const method of methodNames.split(',') as ('GET' | 'POST' | 'PUT')[]) {
        for (const checkoutId of [owner.openId, owner.paidId]) {
          cells += 1
          const path = url.replace(':checkoutId', checkoutId).replace(/:\w+|\*/, owner.orderId)
          const payload = { ...delivery, formId: 'a', sumupCheckoutId: checkoutId, id: checkoutId }
          const answer = await shop.app.inject({
            method,
            url: path,
            headers: { cookie, 'x-forwarded-for': `198.18.${cells >> 8}.${cells & 255}` },
            ...(method === 'POST' || method === 'PUT' ? { payload } : {}),
          })
          const cell = `${method} ${url}, ${name}: ${answer.statusCode}`
          const isOfBuyer = url.includes(':checkoutId') || route === `POST ${apiRoutes.orders}`
          const isMissing = readCode(answer.body) === 'payment-missing' || answer.statusCode === 404
          const isShown = secrets.some((secret) => answer.body.includes(secret))
          if (!isMissing) open += 1
          if (isOfBuyer && !isOwner && !isMissing)
            faults['checkouts that answered somebody else'].push(cell)
          if (isShown && !isOwner) faults['answers with the details of another buyer'].push(cell)
          const isPersonal = url === apiRoutes.order || url === publicPages.thankYou
          const isHidden = isPersonal && method === 'GET' && !isShown
          if (isOwner && ((isOfBuyer && isMissing) || isHidden))
            faults['buyers who do not see what is theirs'].push(cell)
        }
      }
    }
  }

  await ask('another buyer', other.cookie, false)
  await ask('nobody', '', false)
  await ask('a forged buyer', `till_buyer=${'a'.repeat(22)}.${'b'.repeat(22)}`, false)
  if (JSON.stringify(await read()) !== before)
    faults['checkouts that somebody else changed'].push('rows of checkouts differ')
  await ask('the buyer', owner.cookie, true)
  return {
    figures: [`${cells} cells about a real checkout and order of a buyer, ${open} of them open`],
    faults,
  }
}

/** A buyer with a paid order, and another checkout under way. */
async function buyAndOpen(shop: SaleShop, details: object) {
  const buyer = createBuyer(shop)
  const begin = async () => {
    const answer = await buyer.open(shop.mug)
    const { checkoutId }: { checkoutId: string } = answer.json()
    await buyer.saveDetails(checkoutId, details)
    const [cookie] = answer.cookies
    return { checkoutId, cookie: `${cookie?.name}=${cookie?.value}` }
  }
  const { checkoutId: paidId } = await begin()
  await payByCard(shop.sandbox, paidId)
  const order: { id: string } = (await buyer.order(paidId)).json()
  const { checkoutId: openId, cookie } = await begin()
  return { paidId, orderId: order.id, openId, cookie }
}

function readCode(body: string): unknown {
  return body.startsWith('{') ? JSON.parse(body).code : undefined
}
