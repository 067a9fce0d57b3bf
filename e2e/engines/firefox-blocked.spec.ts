import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findMissing } from '#tools/engines.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { openCheckout } from './testing/buyer-stories.ts'
import { openEngine, tellStory } from './testing/stories.ts'
import type { Engine } from './testing/tab.ts'

const skip = findMissing('firefox') ?? false

test(
  'a browser that refuses cookies and storage is told what the form needs; what it shows is left as traces',
  { skip },
  async ({ name }) => {
    let engine: Engine | undefined
    // Closed before the shop, which waits for the browser's connections.
    after(() => engine?.close())
    const shop = await openBrowserShop()
    engine = await openEngine('firefox', shop, {
      preferences: { 'network.cookie.cookieBehavior': 2 },
    })
    const needsCookies = 'Your browser refuses cookies, which this form needs.'
    await tellStory(engine, name, async (tab) => {
      await openCheckout(tab, shop)
      await tab.waitForText(needsCookies)
      await tab.waitFor('button', 'Try again')
      await tab.waitFor('link', 'Refund policy')
    })

    await engine.saveTraces('example of traces')
    const folder = join('.traces', 'example-of-traces')
    after(() => rm(folder, { recursive: true, force: true }))
    const pageFiles = ['page-1-log.txt', 'page-1-network.txt', 'page-1-text.txt', 'page-1.png']
    assert.deepEqual(readdirSync(folder).toSorted(), ['browser.txt', ...pageFiles])
    const read = (file: string) => readFileSync(join(folder, file), 'utf8')
    assert.ok(read('page-1-text.txt').startsWith(`${shop.address}/checkout/`))
    assert.ok(read('page-1-text.txt').includes(needsCookies))
    assert.match(read('page-1-network.txt'), /^200 http.+\.js$/m)
    assert.match(read('page-1.png'), /^.PNG/)
  },
)
