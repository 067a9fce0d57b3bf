import { after, test } from 'node:test'
import { findMissing } from '#tools/engines.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { openCheckout } from './testing/buyer-stories.ts'
import { openEngine } from './testing/stories.ts'

const skip = findMissing('firefox') ?? false

test(
  'a browser that refuses cookies and storage is told what the form needs',
  { skip },
  async () => {
    const shop = await openBrowserShop()
    const engine = await openEngine('firefox', shop, { 'network.cookie.cookieBehavior': 2 })
    after(() => engine.close())
    const tab = await engine.visit()
    await openCheckout(tab, shop)
    await tab.waitForText('Your browser refuses cookies, which this form needs.')
    await tab.waitFor('button', 'Try again')
    await tab.waitFor('link', 'Refund policy')
  },
)
