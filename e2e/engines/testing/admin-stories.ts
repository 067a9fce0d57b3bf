import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { pages } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders, products } from '#server/db/schema.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { addOrders } from '#server/testing/orders.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { shortId } from '#e2e/testing/order-pages.ts'
import type { Story, Tab } from './tab.ts'

async function signIn(tab: Tab): Promise<void> {
  await tab.open(pages.login)
  await tab.fill('Username', testAdmin.username)
  await tab.fill('Password', testAdmin.password)
  await tab.click('button', 'Login')
  await tab.waitForPath(pages.products)
}

async function paintPicture(): Promise<string> {
  const path = join(tmpdir(), `logo-${process.pid}.png`)
  const picture = sharp({ create: { width: 96, height: 32, channels: 3, background: 'teal' } })
  await writeFile(path, await picture.png().toBuffer())
  return path
}

export const adminStories: Record<string, Story> = {
  async 'the owner signs in, stays signed in, adds a product with a picture, and signs out'(
    tab,
    shop,
  ) {
    await signIn(tab)
    await tab.reload()
    await tab.waitFor('heading', 'Products')
    await tab.click('button', 'Add Product')
    await tab.fill('Product Name', 'Oak chair')
    await tab.fill('Price', '120')
    await tab.chooseFile('Checkout Page Header Logo', await paintPicture())
    await tab.waitForText('Logo uploaded')
    await tab.waitForSelector('form img')
    await tab.click('button', 'Create Product')
    await tab.waitForNo('dialog', 'Add New Product')
    await tab.waitForText('Oak chair')
    const [chair] = await shop.db.select().from(products).where(eq(products.name, 'Oak chair'))
    assert.match(String(chair?.headerLogoUrl), /^\/api\/objects\//)
    await tab.click('button', 'Log out')
    await tab.waitFor('button', 'Login')
  },

  async 'the owner marks an order as shipped, and it stays so; the analytics show what was sold, of the days that are chosen'(
    tab,
    shop,
  ) {
    const [order] = await addOrders(shop.db, [{}])
    assert.ok(order)
    await signIn(tab)
    await tab.click('link', 'Fulfillment')
    const status = `Status of order ${shortId(order.id)}`
    await tab.choose(status, 'Shipped')
    await tab.waitForText(`Order ${shortId(order.id)} moved to Shipped.`)
    await tab.reload()
    await tab.waitFor('combobox', status)
    assert.equal(await tab.readValue(status), 'shipped')
    const [saved] = await shop.db.select().from(orders).where(eq(orders.id, order.id))
    assert.equal(saved?.status, 'shipped')

    const buyer = createBuyer(shop)
    const checkoutId = await buyer.arrive(await addMug(shop))
    await payByCard(shop.sandbox, checkoutId)
    await buyer.order(checkoutId)
    await tab.click('link', 'Analytics')
    await tab.waitForText('Top Products by Revenue Mug')
    await tab.click('link', 'Today')
    await tab.waitForText('Today is not over yet.')
  },
}
