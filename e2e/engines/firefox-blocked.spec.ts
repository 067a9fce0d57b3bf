import { after, test } from 'node:test'
import { findMissing } from '#tools/engines.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { openCheckout } from './testing/buyer-stories.ts'
import { openEngine, tellStory } from './testing/stories.ts'
import type { Engine } from './testing/tab.ts'

const skip = findMissing('firefox') ?? false

test(
  'a browser that refuses cookies and storage is told what the form needs',
  { skip },
  async ({ name }) => {
    let engine: Engine | undefined
    // Closed before the shop, which waits for the browser's connections.
    after(() => engine?.close())
    const shop = await openBrowserShop()
    engine = await openEngine('firefox', shop, {
      preferences: { 'network.cookie.cookieBehavior': 2 },
    })
    await tellStory(engine, name, async (tab) => {
      await openCheckout(tab, shop)
      await tab.waitForText('Your browser refuses cookies, which this form needs.')
      await tab.waitFor('button', 'Try again')
      await tab.waitFor('link', 'Refund policy')
    })
  },
)
