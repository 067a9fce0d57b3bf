import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type BrowserContext, chromium } from 'playwright-core'
import { watchVisitors } from './traces.ts'

/* A program for e2e/traces.spec.ts, which gives it the address of a browser. */

const [, , endpoint = ''] = process.argv
const watch = watchVisitors()
const browser = await chromium.connect(endpoint)
after(() => browser.close())

async function visit(): Promise<BrowserContext> {
  const visitor = await browser.newContext()
  after(() => visitor.close())
  watch(visitor)
  await visitor.route('**', (route) => route.fulfill({ contentType: 'text/html', body: 'Hello' }))
  return visitor
}

const shared = await (await visit()).newPage()

async function openShared(name: string): Promise<void> {
  await shared.goto(`http://shop.test/${name}`)
  await shared.evaluate(`console.warn('in the ${name} story')`)
}

void test('a story before', () => openShared('first'))

void test('a story whose page logs an error', async () => {
  await openShared('second')
  await shared.evaluate("console.error('not as it should be')")
})

void test('a story after', () => openShared('third'))

void test('a story with two tabs', async () => {
  await shared.close()
  const visitor = await visit()
  for (const name of ['first', 'second']) {
    const tab = await visitor.newPage()
    await tab.goto(`http://shop.test/${name}`)
    await tab.evaluate(`console.warn('in the ${name} tab')`)
  }
  assert.fail('on purpose')
})
