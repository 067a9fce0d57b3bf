import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { findMissing, startEngine } from '#tools/engines.ts'
import { openBrowserShop, type BrowserShop } from '#e2e/testing/browser-shop.ts'
import { openRelay } from '#e2e/testing/relay.ts'
import { adminStories } from './admin-stories.ts'
import { buyerStories } from './buyer-stories.ts'
import { networkStories } from './network-stories.ts'
import { otherMethodStories } from './other-method-stories.ts'
import { createPlaywrightEngine } from './playwright-tab.ts'
import type { Engine, EngineName, Story, Tab } from './tab.ts'
import { openHttpSession, openMarionetteSession } from './webdriver.ts'
import { createWebDriverEngine } from './webdriver-tab.ts'

/** The stories of this browser, in one process of it. Where it is missing, the stories are reported as skipped. */
export async function tellStories(name: EngineName): Promise<void> {
  const stories: Record<string, Story> = {
    ...buyerStories,
    ...adminStories,
    ...networkStories,
    // Chromium has those and more in e2e/other-methods.spec.ts.
    ...(name === 'chromium' ? {} : otherMethodStories),
  }
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
        await tellStory(engine, context.name, (tab) => story(tab, shop, network))
      } finally {
        network.restore()
      }
    })
}

/** To a new visitor. A story that fails leaves its traces. */
export async function tellStory(
  engine: Engine,
  title: string,
  story: (tab: Tab) => Promise<void>,
): Promise<void> {
  try {
    await story(await engine.visit())
  } catch (error) {
    // A browser that hangs must not hide why the story failed.
    await engine
      .saveTraces(title)
      .catch((fault: unknown) =>
        process.stdout.write(`The traces could not be saved: ${inspect(fault)}\n`),
      )
    throw error
  }
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
  const { port, browserPath, takeLog, stop } = await startEngine(name, preferences)
  const opening =
    name === 'firefox' ? openMarionetteSession(port) : openHttpSession(port, browserPath)
  const driver = await opening.catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const engine = createWebDriverEngine(driver, { address, takeLog })
  return {
    ...engine,
    async close() {
      // A browser that crashed has no session to end.
      await engine.close().catch(() => {})
      await stop()
    },
  }
}
