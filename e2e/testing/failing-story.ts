import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chromium } from 'playwright-core'
import { keepTraces } from './traces.ts'

/* A program for e2e/traces.spec.ts, which gives it the address of a browser. */

const [, , endpoint = ''] = process.argv
const keepTrace = keepTraces()
const browser = await chromium.connect(endpoint)
after(() => browser.close())

void test('a story with two tabs', async () => {
  const visitor = await browser.newContext()
  after(() => visitor.close())
  keepTrace(visitor)
  await visitor.route('**', (route) => route.fulfill({ contentType: 'text/html', body: 'Hello' }))
  for (const name of ['first', 'second']) {
    const tab = await visitor.newPage()
    await tab.goto(`http://shop.test/${name}`)
    await tab.evaluate(`console.warn('in the ${name} tab')`)
  }
  assert.fail('on purpose')
})
