import { after, test } from 'node:test'
import { findMissing, startEngine } from '#tools/engines.ts'
import { openBrowserShop, type BrowserShop } from '#e2e/testing/browser-shop.ts'
import { openRelay } from '#e2e/testing/relay.ts'
import { traceFolderOf } from '#e2e/testing/traces.ts'
import { adminStories } from './admin-stories.ts'
import { buyerStories } from './buyer-stories.ts'
import { networkStories } from './network-stories.ts'
import { createPlaywrightEngine } from './playwright-tab.ts'
import type { Engine, EngineName, Story } from './tab.ts'
import { openHttpSession, openMarionetteSession } from './webdriver.ts'
import { createWebDriverEngine } from './webdriver-tab.ts'

/** Every story, in one process of this browser. Where it is missing, the stories are reported as skipped. */
export async function tellStories(name: EngineName): Promise<void> {
  const stories: Record<string, Story> = { ...buyerStories, ...adminStories, ...networkStories }
  const skip = name === 'chromium' ? undefined : findMissing(name)
  if (skip !== undefined) {
    for (const title of Object.keys(stories)) void test(`${name}: ${title}`, { skip }, () => {})
    return
  }
  let engine: Engine | undefined
  // Closed before the shop, which waits for the browser's connections.
  after(() => engine?.close())
  const shop = await openBrowserShop()
  const network = await openRelay(shop.address)
  engine = await openEngine(name, shop, { address: network.address })
  for (const [title, story] of Object.entries(stories))
    void test(`${name}: ${title}`, async (context) => {
      try {
        await story(await engine.visit(), shop, network)
      } catch (error) {
        // A browser that hangs must not hide why the story failed.
        await saveTraces(engine, context.name).catch(() => {})
        throw error
      } finally {
        network.restore()
      }
    })
}

async function saveTraces(engine: Engine, title: string): Promise<void> {
  const folder = traceFolderOf(title)
  process.stdout.write(`Traces of "${title}": ${folder}\n`)
  await engine.saveTraces(folder)
}

export async function openEngine(
  name: EngineName,
  shop: BrowserShop,
  {
    address = shop.address,
    preferences = {},
  }: { address?: string; preferences?: Record<string, string | number | boolean> } = {},
): Promise<Engine> {
  if (name === 'chromium') return createPlaywrightEngine(shop, address)
  const { port, browserPath, stop } = await startEngine(name, preferences)
  const opening =
    name === 'firefox' ? openMarionetteSession(port) : openHttpSession(port, browserPath)
  const driver = await opening.catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const engine = createWebDriverEngine(driver, address)
  return {
    ...engine,
    async close() {
      // A browser that crashed has no session to end.
      await engine.close().catch(() => {})
      await stop()
    },
  }
}
