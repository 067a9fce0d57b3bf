import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serializePageData } from './page-data.ts'

test('no product name can end the script element with the page data', () => {
  const data = { page: 'checkout', product: { name: '</script><script>alert(1)//<!--' } }
  const json = serializePageData(data as never)
  assert.ok(!json.includes('<'))
  assert.deepEqual(JSON.parse(json), data)
})
