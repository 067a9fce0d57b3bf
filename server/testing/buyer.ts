import type { Sandbox } from '#sandbox/sandbox.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import type { DeliveryWish } from '#contract/quotes.ts'
import { createProduct } from '#server/catalog/products.ts'
import { ownLogo } from './orders.ts'
import type { TestShop } from './test-shop.ts'

export const goodCard = '4200000000000091'
export const badCard = '4111111111111111'
export const challengedCard = '4200000000000042'

/** A payment as SumUp's widget sends it. */
export const paymentBy = (number: string) => ({
  payment_type: 'card',
  card: { name: 'Anna', number, expiry_month: '12', expiry_year: '2039', cvv: '123' },
})

export const delivery = {
  customerEmail: 'anna@example.com',
  customerName: 'Anna Muster',
  customerPhone: '+49 30 123',
  shippingAddress: {
    country: 'Germany',
    firstName: 'Anna',
    lastName: 'Muster',
    address: 'Weg 1',
    city: 'Berlin',
    postcode: '10115',
  },
  acceptsNews: true,
}

export async function addMug({ db }: Pick<TestShop, 'db'>, price = '49.00'): Promise<string> {
  return (
    await createProduct(
      db,
      productSchema.parse({ name: 'Mug', price, headerLogoUrl: ownLogo }),
      'admin',
    )
  ).id
}

export type Buyer = ReturnType<typeof createBuyer>

/** A buyer's browser as the server sees it: one cookie and the calls of the checkout page. Without an ip it is on this machine. */
export function createBuyer(
  shop: Pick<TestShop, 'app'>,
  ip: string | null = '203.0.113.1',
  more: Record<string, string> = {},
) {
  let cookie = ''

  async function call(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
    const headers = { cookie, ...(ip !== null && { 'x-forwarded-for': ip }), ...more }
    const answer = await shop.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    const [set] = answer.cookies
    if (set) cookie = `${set.name}=${set.value}`
    return answer
  }

  return {
    call,
    cookie: () => cookie,
    /** Continues in the browser of another buyer, for example at another node. */
    useCookie: (other: string) => {
      cookie = other
    },
    open: (
      productId: string,
      amount: string | number = '49.00',
      currency = 'EUR',
      wish: DeliveryWish & { code?: string } = {},
    ) => call('POST', apiRoutes.createCheckout, { productId, amount, currency, ...wish }),
    saveDetails: (checkoutId: string, details: object = delivery) =>
      call('PUT', pathOf(apiRoutes.checkoutDetails, { checkoutId }), details),
    look: (checkoutId: string) => call('GET', pathOf(apiRoutes.checkout, { checkoutId })),
    order: (checkoutId: string, more: object = {}) => {
      const { acceptsNews: _omitted, ...details } = delivery
      const ignored = {
        productId: 'x',
        quantity: 1,
        amount: '0.01',
        currency: 'EUR',
        status: 'completed',
      }
      return call('POST', apiRoutes.orders, {
        ...ignored,
        ...details,
        sumupCheckoutId: checkoutId,
        ...more,
      })
    },
    /** Opens a checkout and saves the details: everything before the card. */
    async arrive(productId: string): Promise<string> {
      const { checkoutId } = (await this.open(productId)).json()
      await this.saveDetails(checkoutId)
      return checkoutId
    },
  }
}

/** Pays as SumUp's widget does in the buyer's browser. */
export async function payByCard(
  sandbox: Pick<Sandbox, 'url'>,
  checkoutId: string,
  number = goodCard,
): Promise<{ status: string }> {
  const answer = await fetch(`${sandbox.url}/v0.2/checkouts/${checkoutId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(paymentBy(number)),
  })
  return (await answer.json()) as { status: string }
}

/** A button of the page that PayPal leads to, such as 'approve-later'. */
export async function pressElsewhere(
  sandbox: Pick<Sandbox, 'url'>,
  checkoutId: string,
  secret: string,
  outcome: string,
): Promise<void> {
  await fetch(`${sandbox.url}/v0.1/checkouts/${checkoutId}/complete_payment`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ MD: secret, outcome }),
  })
}
